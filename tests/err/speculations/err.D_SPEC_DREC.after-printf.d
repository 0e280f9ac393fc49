/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { x = 1; printf("x"); speculate(1); }
