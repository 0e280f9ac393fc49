/* args: -r tests/pcap/empty.pcap -q -x errtags -Z */
nosuch:::probe { x = execname; }
BEGIN { x = 1; }
