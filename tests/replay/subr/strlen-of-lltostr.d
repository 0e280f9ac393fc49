/* args: -r tests/pcap/empty.pcap -q */
BEGIN { x = -12345; printf("%d %d\n", strlen(lltostr(x)), strlen(lltostr(0))); }
