/* args: -r tests/pcap/nano.pcap -q -x stackframes=7 */
ip:::send { @[stack()] = count(); @two[probename, stack(10), 5] = sum(2); @two["x", stack(1), 5] = sum(1); }
END { printa("%k %@d\n", @); printa(@two); printa("%s %5k %d %@d\n", @two); }
