/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct s { struct t u; }; BEGIN { }
