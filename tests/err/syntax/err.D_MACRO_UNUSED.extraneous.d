/* args: -r tests/pcap/empty.pcap -q -x errtags 1 x */
BEGIN { trace($1); }
