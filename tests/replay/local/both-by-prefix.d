/* args: -r tests/pcap/directions.pcapng -q -x local=192.0.2.0/24 */
ip:::send, ip:::receive { printf("%s %s > %s\n", probename, args[2]->ip_saddr, args[2]->ip_daddr); }
