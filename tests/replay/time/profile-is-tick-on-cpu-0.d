/* args: -r tests/pcap/seconds.pcap -q */
profile-1s { printf("%s %s %d %d %d\n", probeprov, probename, cpu, arg0, arg1); }
