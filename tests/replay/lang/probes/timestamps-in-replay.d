/* args: -r tests/pcap/times.pcap -q */
BEGIN, END, ip:::receive { printf("%d %d\n", timestamp, walltimestamp); }
