/* args: -r tests/pcap/seconds.pcap -q */
tick-1s /n++ >= 1/ { exit(0); }
tick-1s { @ = count(); }
