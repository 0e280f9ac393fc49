/* args: -q -r tests/pcap/empty.pcap -x errtags */
BEGIN { x = 1; trace(inet_ntoa6(NULL, x)); }
