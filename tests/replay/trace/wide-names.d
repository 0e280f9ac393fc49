/* args: -r tests/pcap/seconds.pcap */
tick-1s { printf("hi"); exit(0); }
