/* args: -r tests/pcap/empty.pcap -q */
BEGIN { @a = count(); @b = sum(2); @c = sum(3); printa(@a); printa("%@d\n", @c); }
