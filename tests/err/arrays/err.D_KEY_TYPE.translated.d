/* args: -r tests/pcap/empty.pcap -q -x errtags */
ip:::send { @[args[2]] = count(); }
