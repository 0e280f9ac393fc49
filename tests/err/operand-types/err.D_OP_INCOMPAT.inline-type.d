/* args: -r tests/pcap/empty.pcap -q -x errtags */
inline int i = "str"; BEGIN { }
