/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @ = lquantize(-2, -3, 3); @ = lquantize(1, -3, 3); }
