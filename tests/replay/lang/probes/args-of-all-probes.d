/* args: -r tests/pcap/udp.pcap -q */
/* The drop probe may have more arguments than the others. The shared arguments work in all probes. */
udp::: { @[probename, args[2]->ip_saddr, args[4]->udp_dport] = count(); }
