/* args: -r tests/pcap/udp.pcap -q */
ip:::receive { n++; total += args[2]->ip_plength; last = args[2]->ip_saddr; }
END { printf("%d %d %s\n", n, total, last); }
