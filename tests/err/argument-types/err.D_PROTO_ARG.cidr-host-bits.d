/* args: -q -x errtags */
udp:::send { trace(cidr(args[2]->ip_saddr, "10.1.0.0/8")); }
