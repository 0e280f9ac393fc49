/* args: -r tests/pcap/empty.pcap -q -x errtags */
ip:::receive / *args[4]->ipv4_hdr/ { }
