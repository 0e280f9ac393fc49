/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct s { string a : 3; }; BEGIN { }
