/* args: -r tests/pcap/empty.pcap -q -x errtags */
ip:::send { trace(&args[0]); }
