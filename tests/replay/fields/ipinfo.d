/* args: -r tests/pcap/fields.pcapng -q */
ip:::receive { printf("%d %d %s %s\n", args[2]->ip_ver, args[2]->ip_plength, args[2]->ip_saddr, args[2]->ip_daddr); }
