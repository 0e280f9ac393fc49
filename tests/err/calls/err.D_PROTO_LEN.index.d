/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(index("a", "b", 1, 2)); }
