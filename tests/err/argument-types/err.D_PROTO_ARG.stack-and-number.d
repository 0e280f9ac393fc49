/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN { @[stack()] = count(); @[1] = count(); }
