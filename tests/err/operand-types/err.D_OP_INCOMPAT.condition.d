/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(cpu ? "a" : 2); }
