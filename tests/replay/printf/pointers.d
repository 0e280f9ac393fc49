/* args: -r tests/pcap/empty.pcap -q */
BEGIN { printf("%p %#p [%?p] [%?x]\n", 0x1234, 0x1234, 0x1234, 0x1234); printf("%p\n", NULL); }
