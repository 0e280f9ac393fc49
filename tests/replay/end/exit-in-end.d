/* args: -r tests/pcap/seconds.pcap -q */
END { printf("end\n"); exit(9); }
