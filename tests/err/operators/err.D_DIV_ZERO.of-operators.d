/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(1 / (2u < -1 && 3 > 4 ? 1 : 5 % 5)); }
