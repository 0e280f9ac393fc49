/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @[1] = count(); @[1, 2] = count(); }
