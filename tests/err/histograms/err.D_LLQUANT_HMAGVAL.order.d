/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @ = llquantize(1, 10, 3, 2, 10); }
