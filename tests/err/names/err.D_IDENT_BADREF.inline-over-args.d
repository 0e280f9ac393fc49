/* args: -r tests/pcap/empty.pcap -q -x errtags */
inline int f = args[0] == __owner[1]; BEGIN { }
