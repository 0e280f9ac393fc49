/* args: -r tests/pcap/damaged.pcap -q */
ip:::receive { printf("packet %d\n", args[2]->ip_plength); @ = count(); }
