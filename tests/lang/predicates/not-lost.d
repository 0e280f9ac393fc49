/* args: -q -b 4k */
/* What a predicate leaves out takes no room: nothing of it can be dropped. */
BEGIN { printf("one\n"); }
BEGIN /0/ { printf("%s %s %s %s %s %s %s %s\n", probename, execname, probeprov, probefunc, execname, probename, execname, execname); }
BEGIN { exit(0); }
