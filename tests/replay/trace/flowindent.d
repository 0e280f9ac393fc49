/* args: -r tests/pcap/nano.pcap -F */
BEGIN { trace(1); }
ip:::send { n++; }
ip:::receive { trace(args[2]->ip_plength); }
