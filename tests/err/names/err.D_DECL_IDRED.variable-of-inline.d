/* args: -r tests/pcap/empty.pcap -q -x errtags */
inline int x = 5; int x; BEGIN { }
