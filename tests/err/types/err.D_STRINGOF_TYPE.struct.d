/* args: -r tests/pcap/empty.pcap -q -x errtags */
ip:::receive { trace(stringof(*args[4]->ipv4_hdr)); }
