/* args: -r tests/pcap/empty.pcap -q -x errtags */
inline int f = 1; inline int f = 2; BEGIN { }
