/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @[-1] = count(); @[1] = count(); @[0] = count(); @[100] = count(); }
