/* args: -r tests/pcap/empty.pcap -q */
BEGIN { printf("before\n"); trace(*(int *)0); printf("after\n"); }
