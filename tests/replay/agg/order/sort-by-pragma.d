/* args: -r tests/pcap/empty.pcap -q */
#pragma D option aggsortrev
BEGIN { @["a"] = sum(1); @["b"] = sum(2); }
