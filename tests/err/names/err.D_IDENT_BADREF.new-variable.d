/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { __x = 7; }
