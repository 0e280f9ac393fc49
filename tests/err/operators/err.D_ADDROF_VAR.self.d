/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct s { int a; char b[8]; }; self struct s x;
BEGIN { trace(*&self->x.a); }
