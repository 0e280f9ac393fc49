/* args: -q -x errtags */
udp:::send { trace(net(args[2]->ip_saddr, 129)); }
