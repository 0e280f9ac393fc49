/* args: -q -x errtags */
udp:::send { trace(cidr(args[2]->ip_saddr, args[2]->ip_daddr)); }
