/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @["few big"] = quantize(1024); @["many small"] = quantize(8, 3); @["none"] = quantize(0); }
