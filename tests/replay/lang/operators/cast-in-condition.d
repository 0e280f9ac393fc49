/* args: -r tests/pcap/empty.pcap -q -x checked */
uint32_t c;
BEGIN { c = 65536; printf("%d %d\n", (uint32_t)(c * c) ? 1 : 0, c * c ? 1 : 0); }
BEGIN /(uint32_t)(c * c)/ { printf("no\n"); }
BEGIN /(uint8_t)c || !(uint16_t)c/ { printf("yes\n"); }
