/* args: -r tests/pcap/seconds.pcap -q */
BEGIN { start = timestamp; }
tick-500ms { printf("%d ", (timestamp - start) / 1000000); }
