/* args: -r tests/pcap/empty.pcap -q -x errtags */
inline int strlen = 7; BEGIN { }
