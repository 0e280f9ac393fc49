/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct in { int a; }; struct out { string x; };
translator struct out < struct in *I > { x = I->a; };
BEGIN { trace((xlate <struct out *> ((struct in *)8))->x); }
