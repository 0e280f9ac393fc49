/* args: -q -r tests/pcap/empty.pcap */
/* What the actions assign the predicate may read, and the other way round. */
BEGIN /n == 0/ { n++; }
BEGIN /n == 1/ { n++; }
BEGIN /(m = 3) != 0/ { printf("%d %d\n", n, m); exit(0); }
