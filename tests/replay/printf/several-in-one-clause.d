/* args: -r tests/pcap/empty.pcap -q */
BEGIN { printf("a"); printf("%d", 1); printf("%s %s", "b", "c"); printf("\n"); }
