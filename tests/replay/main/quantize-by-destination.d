/* args: -r tests/pcap/udp.pcap -q */
ip:::send { @[args[2]->ip_daddr] = quantize(args[2]->ip_plength); }
