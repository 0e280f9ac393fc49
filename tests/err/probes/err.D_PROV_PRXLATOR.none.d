/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct in { int a; }; struct out { int x; };
provider mine { probe a(struct in *) : (struct out *); };
BEGIN { }
