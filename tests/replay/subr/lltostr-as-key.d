/* args: -r tests/pcap/seconds.pcap -q */
ip:::receive { @[lltostr(args[2]->ip_plength)] = count(); }
END { printa("%s\n", @); }
