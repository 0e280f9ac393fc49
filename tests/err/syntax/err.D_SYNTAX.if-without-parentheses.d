/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { if x x = 1; }
