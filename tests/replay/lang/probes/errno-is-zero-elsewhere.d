/* args: -r tests/pcap/nano.pcap -q */
ip:::receive { printf("%d\n", errno); }
