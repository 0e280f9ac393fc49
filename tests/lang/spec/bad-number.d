/* args: -q -x nspec=2 */
/* A speculation number that does not exist. */
ERROR { printf("error %d in action %d\n", arg4, arg2); }
BEGIN { speculate(3); printf("never\n"); }
BEGIN { x = 1; commit(-1); x = 2; }
BEGIN { y = x; discard(1LL << 31); }
BEGIN { discard(1LL << 32); printf("cut to 0, y %d\n", y); exit(0); }
