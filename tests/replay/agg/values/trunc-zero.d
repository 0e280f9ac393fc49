/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @["a"] = sum(1); @["b"] = sum(2); trunc(@, 0); }
END { @["c"] = sum(7); }
