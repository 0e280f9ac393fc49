/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @a = sum(1); @b = sum(2); printa("%@d %@d %@d %@d\n", @a, @b); }
