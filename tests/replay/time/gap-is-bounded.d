/* args: -r tests/pcap/times.pcap -q */
tick-1s { n++; last = timestamp; }
ip:::receive { printf("%d ", n); }
END { printf("%d\n", n); }
