/* args: -r tests/pcap/addresses.pcap -q */
ip:::receive { printf("%d ", strlen(args[2]->ip_saddr)); }
