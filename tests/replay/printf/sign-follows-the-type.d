/* args: -r tests/pcap/empty.pcap -q */
uint32_t u; int32_t s; uint16_t h;
BEGIN { u = 4294967295; s = -1; h = 65535; printf("%d %d %d %u %u %x %x\n", u, s, h, u, s, s, h); }
