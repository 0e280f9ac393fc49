/* args: -r tests/pcap/empty.pcap -q -x errtags */
register int x; BEGIN { }
