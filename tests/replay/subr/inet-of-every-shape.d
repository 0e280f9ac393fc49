/* args: -r tests/pcap/addresses.pcap -q */
ip:::receive /args[5] != NULL/ { printf("%s\n", inet_ntop(AF_INET6, args[5]->ipv6_src)); }
