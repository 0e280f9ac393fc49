/* args: -r tests/pcap/empty.pcap -q -x errtags */
inline int a[int] = 3; BEGIN { }
