/* args: -r tests/pcap/empty.pcap -q -x errtags */
signed struct iphdr *h; BEGIN { }
