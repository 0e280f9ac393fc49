/* args: -q */
/* A fault in a predicate ends only its own clause. Earlier assignments in the predicate stay. */
ERROR { printf("error in %d\n", arg2); }
BEGIN /(x = 3) && *(int *)8/ { printf("never"); }
BEGIN /1 / (x - 3)/ { printf("never"); }
BEGIN /x == 3/ { printf("on %d\n", x); exit(0); }
