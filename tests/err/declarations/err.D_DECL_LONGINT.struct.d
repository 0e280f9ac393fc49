/* args: -r tests/pcap/empty.pcap -q -x errtags */
long struct iphdr *h; BEGIN { }
