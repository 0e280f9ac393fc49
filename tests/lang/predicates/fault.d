/* args: -q */
/* A fault in a predicate: its clause does not run, others do, and its earlier assignments stay. */
ERROR { printf("error in %d\n", arg2); }
BEGIN /(x = 3) && *(int *)8/ { printf("never"); }
BEGIN /1 / (x - 3)/ { printf("never"); }
BEGIN /x == 3/ { printf("on %d\n", x); exit(0); }
