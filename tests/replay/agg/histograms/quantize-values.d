/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @ = quantize(0); @ = quantize(0); @ = quantize(1); @ = quantize(3); @ = quantize(-1); @ = quantize(-5); }
