/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @ = quantize(0); }
