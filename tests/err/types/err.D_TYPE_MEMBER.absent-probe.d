/* args: -r tests/pcap/empty.pcap -q -x errtags -Z */
tcp:::drop { x = args[5]->nosuch; }
