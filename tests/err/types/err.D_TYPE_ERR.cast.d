/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace((struct nosuch *)0); trace(sizeof(struct nosuch)); }
