/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @ = llquantize(1, cpu, 0, 2, 10); }
