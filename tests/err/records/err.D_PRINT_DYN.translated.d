/* args: -x errtags -r tests/pcap/empty.pcap */
ip:::send { print(args[2]); }
