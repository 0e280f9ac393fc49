/* args: -r tests/pcap/protocols.pcap -q */
ip:::receive /args[4] != NULL/ { printf("4 %d %s\n", args[4]->ipv4_protocol, args[4]->ipv4_protostr); }
ip:::receive /args[5] != NULL/ { printf("6 %d %s\n", args[5]->ipv6_nexthdr, args[5]->ipv6_nextstr); }
