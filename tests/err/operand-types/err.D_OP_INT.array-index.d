/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct s { int a[4]; }; BEGIN { trace(((struct s *)0)->a["x"]); }
