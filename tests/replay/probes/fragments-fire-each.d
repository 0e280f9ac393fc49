/* args: -r tests/pcap/frags.pcap -q */
ip:::receive { @[args[2]->ip_ver, args[2]->ip_plength] = count(); } END { printa("%d %d: %@d\n", @); }
