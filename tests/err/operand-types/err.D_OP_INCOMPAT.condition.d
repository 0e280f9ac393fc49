/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(1 ? "a" : 2); }
