/* args: -r tests/pcap/empty.pcap -q -x errtags */
int f(static int x); BEGIN { }
