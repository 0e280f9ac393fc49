/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @["k"] = quantize(5); printa("%s:%@d|\n", @); printa("%@10d", @); }
