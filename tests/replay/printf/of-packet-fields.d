/* args: -r tests/pcap/nano.pcap -q */
ip:::receive { printf("%-20s %5d %3u %#x\n", args[2]->ip_saddr, args[2]->ip_plength, args[2]->ip_ver, args[4]->ipv4_ident); }
