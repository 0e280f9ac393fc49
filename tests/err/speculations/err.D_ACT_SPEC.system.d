/* args: -r tests/pcap/empty.pcap -q -w -x errtags */
BEGIN { speculate(1); system("true"); }
