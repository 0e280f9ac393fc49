/* args: -r tests/pcap/empty.pcap -q -x errtags */
int x; string x; BEGIN { }
