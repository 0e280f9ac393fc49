/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { system("%d", "x"); }
