/* args: -r tests/pcap/empty.pcap -q -x errtags */
ip:::receive { trace(args[2]); }
