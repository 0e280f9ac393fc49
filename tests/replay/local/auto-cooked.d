/* args: -r tests/pcap/cooked.pcap -q -x local=auto */
ip:::send, ip:::receive { printf("%s %s > %s\n", probename, args[2]->ip_saddr, args[2]->ip_daddr); }
