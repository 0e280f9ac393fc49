/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { cpu ? trace(1) : trace(2); }
