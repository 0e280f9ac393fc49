/* args: -r tests/pcap/empty.pcap -q -x aggsortkey */
BEGIN { @["a"] = sum(3); @["b"] = sum(1); @["c"] = sum(2); }
