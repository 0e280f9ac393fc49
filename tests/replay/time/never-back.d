/* args: -r tests/pcap/times.pcap -q */
BEGIN { start = timestamp; }
ip:::receive { printf("%d ", (timestamp - start) / 1000000); }
