/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @ = quantize(1, "x"); }
