/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct kernel`task { int x; }; BEGIN { }
