/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @ = lquantize(15, 0, 100, 10); @ = lquantize(25, 0, 100, 10, 2); }
