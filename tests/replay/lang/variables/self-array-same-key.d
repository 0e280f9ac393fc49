/* args: -r tests/pcap/udp.pcap -q */
ip:::send { self->seen[args[2]->ip_ver]++; }
ip:::receive { printf("%d", self->seen[args[2]->ip_ver]); }
END { printf("\n"); }
