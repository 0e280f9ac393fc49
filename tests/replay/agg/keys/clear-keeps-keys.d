/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @["a"] = sum(1); @["b"] = sum(3); clear(@); }
END { @["b"] = sum(5); }
