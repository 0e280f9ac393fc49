/* args: -r tests/pcap/empty.pcap -q -x errtags */
int IPPROTO_TCP; BEGIN { }
