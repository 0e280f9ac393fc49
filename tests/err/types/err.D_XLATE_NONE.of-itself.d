/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct s { int a; }; translator struct s < int i > { a = xlate<struct s>(i).a; }; BEGIN { trace(xlate<struct s>(1).a); }
