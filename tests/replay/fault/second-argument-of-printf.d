/* args: -r tests/pcap/empty.pcap -q */
BEGIN { printf("%d %d", 1, *(int *)8); }
