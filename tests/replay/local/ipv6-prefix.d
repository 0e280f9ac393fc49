/* args: -r tests/pcap/udp.pcap -q -x local=2001:db8::2/128,10.0.0.0/8 */
ip:::send, ip:::receive { printf("%s %s > %s\n", probename, args[2]->ip_saddr, args[2]->ip_daddr); }
