/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct in { int a; }; struct out { int x; };
translator struct out < struct in *I > { x = I->a; };
provider mine { probe a(struct in *i, int n) : (struct out *(i, n)); };
BEGIN { }
