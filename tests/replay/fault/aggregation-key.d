/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @[1, *(int *)8] = count(); }
