/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct { int x; } a; struct { int y; } b; BEGIN { a = b; }
