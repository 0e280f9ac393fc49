/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @ = quantize(10, -3); @ = quantize(20, 1); }
