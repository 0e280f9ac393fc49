/* args: -r tests/pcap/seconds.pcap -q */
ip:::receive { @ = lquantize(args[2]->ip_plength, 10, 16, 2); }
