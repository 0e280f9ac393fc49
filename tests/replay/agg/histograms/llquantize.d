/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @ = llquantize(3, 10, 0, 2, 10); @ = llquantize(25, 10, 0, 2, 10); }
