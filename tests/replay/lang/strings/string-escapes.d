/* args: -r tests/pcap/empty.pcap -q */
BEGIN { printf("%s|%s\n", "a\tb\"c\\d", "\x41\102"); }
