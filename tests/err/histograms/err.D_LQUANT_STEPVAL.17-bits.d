/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @ = lquantize(1, 0, 1000000, 65536); }
