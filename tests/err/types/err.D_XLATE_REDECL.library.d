/* args: -r tests/pcap/empty.pcap -q -x errtags */
translator ipinfo_t < struct iphdr *I > { ip_ver = 9; }; BEGIN { }
