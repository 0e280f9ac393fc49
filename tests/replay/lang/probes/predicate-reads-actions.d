/* args: -q -r tests/pcap/empty.pcap */
/* Assignments of actions may be read by the predicate, and the other way round. */
BEGIN /n == 0/ { n++; }
BEGIN /n == 1/ { n++; }
BEGIN /(m = 3) != 0/ { printf("%d %d\n", n, m); exit(0); }
