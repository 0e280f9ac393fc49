/* args: -r tests/pcap/seconds.pcap -q */
ip:::receive { printf("a "); exit(1); printf("b "); } ip:::receive { printf("c\n"); }
