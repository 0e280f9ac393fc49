/* args: -r tests/pcap/empty.pcap -q -x errtags -Z */
nosuch:::probe { x = nosuch(args[0]); }
