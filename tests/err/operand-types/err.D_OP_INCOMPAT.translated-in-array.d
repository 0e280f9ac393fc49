/* args: -r tests/pcap/empty.pcap -q -x errtags */
ip:::send { x[1] = args[2]; }
