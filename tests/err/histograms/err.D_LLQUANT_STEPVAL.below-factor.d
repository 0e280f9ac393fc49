/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @ = llquantize(1, 10, 0, 2, 5); }
