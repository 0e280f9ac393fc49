/* args: -q -r tests/pcap/empty.pcap */
/* A predicate reads variables that actions assign, and actions read those that it assigns. */
BEGIN /n == 0/ { n++; }
BEGIN /n == 1/ { n++; }
BEGIN /(m = 3) != 0/ { printf("%d %d\n", n, m); exit(0); }
