/* args: -r tests/pcap/cut.pcap -q */
ip:::receive { printf("packet %d\n", args[2]->ip_plength); @ = count(); }
