/* args: -r tests/pcap/clockend.pcap -q */
BEGIN { start = timestamp; }
ip:::receive { printf("%d\n", (timestamp - start) / 1000000); }
END { printf("%d\n", (timestamp - start) / 1000000); }
