/* args: -r tests/pcap/nano.pcap -q */
ip:::receive { printf("%d %d\n", args[0]->pkt_addr == arg0, args[1]->cs_addr == arg1); }
