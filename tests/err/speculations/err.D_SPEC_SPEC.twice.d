/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { speculate(1); x = 1; speculate(2); }
