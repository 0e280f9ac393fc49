/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @["k"] = sum(*(int *)8); }
