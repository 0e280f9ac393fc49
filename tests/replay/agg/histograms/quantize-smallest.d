/* args: -r tests/pcap/empty.pcap -q */
BEGIN { x = -9223372036854775807; @ = quantize(x - 1); @b = quantize(x); }
