/* args: -r tests/pcap/empty.pcap -q -x errtags */
inline int f[int __x] = __x; BEGIN { }
