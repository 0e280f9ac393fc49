/* args: -q -b 4k */
/* An event that a predicate rejects reserves no buffer space, so it cannot be dropped. */
BEGIN { printf("one\n"); }
BEGIN /0/ { printf("%s %s %s %s %s %s %s %s\n", probename, execname, probeprov, probefunc, execname, probename, execname, execname); }
BEGIN { exit(0); }
