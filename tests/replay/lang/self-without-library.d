/* args: -q -r tests/pcap/empty.pcap -x nolibs */
/* The library defines tid. Without it, clauses with self-> do not run; others do. */
BEGIN { self->a = 1; }
BEGIN { self->b = 1; }
BEGIN { printf("begins\n"); exit(0); }
