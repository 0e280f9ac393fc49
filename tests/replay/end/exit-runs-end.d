/* args: -r tests/pcap/seconds.pcap -q */
ip:::receive { n++; } ip:::receive /n == 3/ { exit(7); } END { printf("%d\n", n); }
