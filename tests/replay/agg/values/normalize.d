/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @s["a"] = sum(1000); @s["b"] = sum(2999); @q = quantize(10, 100); normalize(@s, 1000); normalize(@q, 10); }
