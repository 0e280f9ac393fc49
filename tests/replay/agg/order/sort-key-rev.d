/* args: -r tests/pcap/empty.pcap -q -x aggsortkey -x aggsortrev */
BEGIN { @["a"] = sum(3); @["b"] = sum(1); @["c"] = sum(2); }
