/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { printf("%*d", 1); }
