/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { normalize(1, 1); }
