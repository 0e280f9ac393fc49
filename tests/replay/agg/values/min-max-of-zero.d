/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @lo = min(0); @lo = min(4); @hi = max(0); @hi = max(-4); }
