/* args: -r tests/pcap/times.pcap -q */
ip:::send { self->len = args[2]->ip_plength; }
ip:::receive /self->len/ { printf("%d ", self->len); self->len = 0; }
ip:::receive { printf("%d\n", self->len); }
