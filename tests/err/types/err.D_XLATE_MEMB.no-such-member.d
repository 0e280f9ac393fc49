/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct s { int a; }; translator struct s < int i > { b = i; }; BEGIN { }
