/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @["a"] = sum(1); @["b"] = sum(2); @["c"] = sum(3); }
END { trunc(@, -2); }
