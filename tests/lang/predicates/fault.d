/* args: -q */
/* A fault in a predicate: the clause does not run, the others do, and what it did before the fault stays. */
ERROR { printf("error in %d\n", arg2); }
BEGIN /(x = 3) && *(int *)8/ { printf("never"); }
BEGIN /1 / (x - 3)/ { printf("never"); }
BEGIN /x == 3/ { printf("on %d\n", x); exit(0); }
