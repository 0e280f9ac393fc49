/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { printf("%d\n", 1, 2); }
