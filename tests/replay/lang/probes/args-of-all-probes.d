/* args: -r tests/pcap/udp.pcap -q */
/* One of the probes, drop, may have more arguments: what all have alike can be used. */
udp::: { @[probename, args[2]->ip_saddr, args[4]->udp_dport] = count(); }
