/* args: -r tests/pcap/reassembly.pcap -q -x footer */
udp:::receive { @[args[4]->udp_dport, args[2]->ip_plength] = count(); }
