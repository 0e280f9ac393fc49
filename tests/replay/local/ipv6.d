/* args: -r tests/pcap/udp.pcap -q -x local=2001:db8::1 */
ip:::send, ip:::receive { printf("%s %s > %s\n", probename, args[2]->ip_saddr, args[2]->ip_daddr); }
