/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct s { int a : 0; }; BEGIN { }
