/* args: -r tests/pcap/empty.pcap -q -x errtags */
long char c; BEGIN { }
