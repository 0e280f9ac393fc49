/* args: -r tests/pcap/nano.pcap -x flowindent */
BEGIN { trace(1); }
ip:::send { n++; }
ip:::receive { trace(args[2]->ip_plength); }
