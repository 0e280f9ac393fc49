/* args: -r tests/pcap/empty.pcap -q */
BEGIN { x = 0; printf("%d %d\n", x ? *(int *)0 : 2, x && *(int *)0); }
