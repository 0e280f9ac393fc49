/* args: -r tests/pcap/odd.pcap -q */
ip:::receive { printf("%d %d\n", args[2]->ip_ver, args[2]->ip_plength); }
