/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @ = lquantize(-50, 0, 20, 10); @ = lquantize(20, 0, 20, 10); }
