/* args: -r tests/pcap/empty.pcap -q -x errtags */
tick-1s { trace(args[0]); }
