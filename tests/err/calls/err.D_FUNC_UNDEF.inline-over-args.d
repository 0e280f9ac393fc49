/* args: -r tests/pcap/empty.pcap -q -x errtags */
inline int f = nosuch(args[0]); BEGIN { }
