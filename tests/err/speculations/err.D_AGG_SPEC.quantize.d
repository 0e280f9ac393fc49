/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { speculate(1); @ = quantize(1); }
