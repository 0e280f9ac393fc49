/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @["a", 5] = count(); @["b", 6] = count(); @q["k"] = quantize(1); printa(@); printa(@q); }
