/* args: -r tests/pcap/empty.pcap -q -x errtags */
inline int pid = 5; BEGIN { }
