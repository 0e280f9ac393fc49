/* args: -r tests/pcap/addresses.pcap -q */
ip:::receive { @[args[2]->ip_saddr] = count(); }
