/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct in { int a; }; struct out { int x; };
translator struct out < struct in *I > { x = (int)args[0]; };
BEGIN { }
