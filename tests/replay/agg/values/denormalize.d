/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @s = sum(1000); normalize(@s, 10); }
END { printa("%@d ", @s); denormalize(@s); printa("%@d ", @s); normalize(@s, 3); printa("%@d\n", @s); }
