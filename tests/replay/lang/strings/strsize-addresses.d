/* args: -r tests/pcap/demo.pcap */
#pragma D option quiet
#pragma D option strsize=9
ip:::receive { printf("%s %d %d %d\n", args[2]->ip_saddr, args[2]->ip_saddr == "192.0.2.", args[2]->ip_saddr == args[2]->ip_daddr, strlen(args[2]->ip_saddr)); exit(0); }
