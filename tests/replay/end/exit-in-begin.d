/* args: -r tests/pcap/seconds.pcap -q */
BEGIN { exit(0); }
BEGIN { printf("second\n"); }
