/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { trace(args[0]); }
