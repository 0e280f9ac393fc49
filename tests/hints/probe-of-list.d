/* args: -q */
tcp:::send, udp:::send, BEGIN { trace(args[2]->ip_plength); }
