/* args: -r tests/pcap/seconds.pcap -q */
tick-1s /arg0 == 0 && arg1 == 0/ { n++; } END { printf("%d\n", n); }
