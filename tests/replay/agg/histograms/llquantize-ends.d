/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @ = llquantize(0, 10, 0, 1, 10); @ = llquantize(100, 10, 0, 1, 10); }
