/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @ = lquantize(1, cpu, 10); }
