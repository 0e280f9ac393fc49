/* args: -q */
/* All clauses of a probe run, in the order of the program, each with its own predicate. */
BEGIN { n = 1; printf("a %d\n", n); }
BEGIN /n == 2/ { printf("not yet\n"); }
BEGIN { n++; }
BEGIN /n == 2/ { printf("b %d\n", n); exit(3); }
BEGIN { printf("after exit\n"); }
END { printf("end %d\n", n); }
