/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct s { int a; char b[8]; }; struct s x[int]; char *p;
BEGIN { p = x[1].b; }
