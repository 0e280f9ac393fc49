/* args: -r tests/pcap/empty.pcap -q */
BEGIN { printf("%a %A %#a|%20a|%-10a|\n", 0x1234, 0, 0xffffffff81000000, 16, 16); }
