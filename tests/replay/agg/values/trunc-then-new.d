/* args: -r tests/pcap/seconds.pcap -q */
ip:::receive { @[args[2]->ip_plength] = count(); }
tick-1s { printa("%d ", @); trunc(@); printf("| "); }
