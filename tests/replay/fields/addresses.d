/* args: -r tests/pcap/addresses.pcap -q */
ip:::receive { printf("%s\n", args[2]->ip_saddr); }
