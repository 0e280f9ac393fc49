/* args: -r tests/pcap/empty.pcap -q -x errtags */
ip:::receive { trace(&args[4]->ipv4_hdr->ihl); }
