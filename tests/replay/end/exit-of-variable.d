/* args: -r tests/pcap/empty.pcap -q */
BEGIN { x = 4; exit(x + 1); }
