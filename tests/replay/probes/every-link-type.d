/* args: -r tests/pcap/links.pcapng -q */
ip:::receive { @[args[2]->ip_ver, args[2]->ip_saddr, args[2]->ip_plength] = count(); }
END { printa("%d %s %d: %@d\n", @); }
