/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @a = llquantize(1, 10, 0, 2, 10); @a = llquantize(1, 10, 0, 3, 10); }
