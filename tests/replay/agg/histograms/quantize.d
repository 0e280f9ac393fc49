/* args: -r tests/pcap/seconds.pcap -q */
ip:::receive { @ = quantize(args[2]->ip_plength); }
