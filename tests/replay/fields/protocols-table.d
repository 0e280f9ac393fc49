/* args: -r tests/pcap/protocols.pcap -q */
ip:::receive /args[4] != NULL/ { printf("%s\n", protocols[args[4]->ipv4_protocol]); }
