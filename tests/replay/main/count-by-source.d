/* args: -r tests/pcap/udp.pcap */
ip:::receive { @[args[2]->ip_saddr] = count(); }
