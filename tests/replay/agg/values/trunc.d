/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @["a"] = sum(1); @["b"] = sum(2); @["c"] = sum(3); @["d"] = sum(4); @all["x"] = count(); }
END { trunc(@, 2); trunc(@all); }
