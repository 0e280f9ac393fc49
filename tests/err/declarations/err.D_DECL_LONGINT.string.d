/* args: -r tests/pcap/empty.pcap -q -x errtags */
long string s; BEGIN { }
