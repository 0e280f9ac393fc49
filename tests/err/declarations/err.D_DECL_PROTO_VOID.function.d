/* args: -r tests/pcap/empty.pcap -q -x errtags */
int f(int, void); BEGIN { }
