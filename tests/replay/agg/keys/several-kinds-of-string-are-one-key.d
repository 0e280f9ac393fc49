/* args: -r tests/pcap/udp.pcap -q */
ip:::receive { @[args[2]->ip_ver == 4 ? "192.0.2.1" : args[2]->ip_saddr] = count(); }
ip:::receive { @[args[2]->ip_saddr] = count(); }
ip:::receive /args[2]->ip_ver == 6/ { @[strjoin("192.0", ".2.1")] = count(); }
