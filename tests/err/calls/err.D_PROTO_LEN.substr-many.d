/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(substr("a", 1, 2, 3)); }
