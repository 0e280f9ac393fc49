/* args: -r tests/pcap/empty.pcap -q -x errtags */
inline int f[int x] = x; BEGIN { trace(f["a"]); }
