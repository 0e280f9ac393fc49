/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @["a"] = sum(1); @["b"] = sum(2); printa("%s", @); setopt("aggsortrev"); printa("%s", @); setopt("aggsortrev", "no"); printa("%s\n", @); }
