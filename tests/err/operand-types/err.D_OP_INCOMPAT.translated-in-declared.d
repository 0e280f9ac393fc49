/* args: -r tests/pcap/empty.pcap -q -x errtags */
struct iphdr *x; ip:::send { x = args[2]; }
