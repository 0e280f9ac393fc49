/* args: -r tests/pcap/empty.pcap -q -x errtags */
int x; inline int x = 5; BEGIN { }
