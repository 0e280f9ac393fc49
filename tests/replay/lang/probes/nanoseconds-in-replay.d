/* args: -r tests/pcap/nano.pcap -q */
ip:::receive { printf("%d %Y\n", walltimestamp, walltimestamp); }
