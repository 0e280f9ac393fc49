/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct s { int a; }; struct s { int b; }; BEGIN { }
