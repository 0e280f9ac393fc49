/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @a = quantize(0x7fffffffffffffff); @b = quantize(-0x7fffffffffffffff); @c = quantize(0); }
