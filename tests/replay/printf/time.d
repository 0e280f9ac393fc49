/* args: -r tests/pcap/seconds.pcap -q */
BEGIN { printf("%Y|%T|\n", walltimestamp, walltimestamp); printf("%Y\n", (int64_t)1730419200000000000); }
