/* args: -r tests/pcap/empty.pcap -q -x errtags 1 x y */
BEGIN { trace($1); }
