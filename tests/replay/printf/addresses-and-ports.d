/* args: -r tests/pcap/nano.pcap -q */
ip:::receive { printf("%I %P\n", args[2]->ip_saddr, (uint16_t)65000); }
