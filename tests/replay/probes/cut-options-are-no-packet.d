/* args: -r tests/pcap/cutoptions.pcap -q */
ip:::receive { trace(1); }
