/* args: -r tests/pcap/jumbo.pcap -q */
ip:::send { printf("ip %d %d\n", args[2]->ip_ver, args[2]->ip_plength); }
tcp:::send { printf("tcp %d %d %d\n", args[4]->tcp_sport, args[2]->ip_plength - args[4]->tcp_offset, args[4]->tcp_plength); }
udp:::send { printf("udp %d %d\n", args[4]->udp_sport, args[4]->udp_length); }
