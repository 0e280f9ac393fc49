/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { 1 = 2; }
