/* args: -r tests/pcap/nano.pcap */
ip:::receive { trace(args[2]->ip_saddr); trace(args[2]->ip_plength); trace(args[2]->ip_ver); }
