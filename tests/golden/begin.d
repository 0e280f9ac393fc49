BEGIN { printf("%d %s %x\n", 6 * 7, execname, pid); exit(3); }
