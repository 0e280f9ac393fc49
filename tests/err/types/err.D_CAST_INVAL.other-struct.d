/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { }
struct a { int x; } g; struct b { int x; };
BEGIN { x = ((struct b)g).x; }
