/* args: -r tests/pcap/empty.pcap -q -x errtags */
short long x; BEGIN { }
