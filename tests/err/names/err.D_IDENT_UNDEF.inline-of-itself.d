/* args: -r tests/pcap/empty.pcap -q -x errtags */
inline int foo = foo + 3; BEGIN { }
