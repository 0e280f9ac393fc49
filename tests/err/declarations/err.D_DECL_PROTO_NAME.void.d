/* args: -r tests/pcap/empty.pcap -q -x errtags */
int f(void v); BEGIN { }
