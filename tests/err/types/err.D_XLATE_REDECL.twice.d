/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct s { int a; }; translator struct s < int i > { a = i; }; translator struct s < int j > { a = j; }; BEGIN { }
