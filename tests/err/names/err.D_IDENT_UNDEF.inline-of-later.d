/* args: -r tests/pcap/empty.pcap -q -x errtags */
inline int f = x; int x; BEGIN { }
