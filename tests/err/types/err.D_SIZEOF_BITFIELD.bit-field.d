/* args: -r tests/pcap/empty.pcap -q -x errtags */
ip:::send { trace(sizeof (args[4]->ipv4_hdr->ihl)); }
