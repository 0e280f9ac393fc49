/* args: -r tests/pcap/udp.pcap -q */
ip:::send { self->seen[args[2]->ip_ver, args[2]->ip_plength]++; }
ip:::receive { printf("%d", self->seen[args[2]->ip_ver, args[2]->ip_plength]); }
END { printf("\n"); }
