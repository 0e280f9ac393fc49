/* args: -r tests/pcap/udp.pcap -q */
ip:::receive /args[2]->ip_ver == 6/ { @[args[2]->ip_daddr] = max(args[2]->ip_plength); }
