/* args: -r tests/pcap/seconds.pcap -q */
ip:::receive { printf("p%d ", args[2]->ip_plength); }
tick-1s { printf("T "); }
