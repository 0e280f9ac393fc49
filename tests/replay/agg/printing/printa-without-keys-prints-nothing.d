/* args: -r tests/pcap/empty.pcap -q */
BEGIN /0/ { @a["x"] = count(); }
BEGIN { printf("head\n"); printa("%s %@d\n", @a); }
