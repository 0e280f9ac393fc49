/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { 1 ? trace(1) : trace(2); }
