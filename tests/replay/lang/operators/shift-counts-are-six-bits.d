/* args: -r tests/pcap/empty.pcap -q -x checked */
BEGIN { x = 5; n = 65; printf("%d %d %d %d\n", x << 64, x << 65, x >> 256, x << n); x >>= 65; printf("%d\n", x); }
