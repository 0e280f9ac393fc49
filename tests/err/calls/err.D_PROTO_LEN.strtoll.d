/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(strtoll("1", 10, 1)); }
