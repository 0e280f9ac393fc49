/* args: -q */
/*
 * Speculation 0 or an unused number is not an error. A clause that passes such a number to
 * speculate() ends there; its earlier assignments stay.
 */
BEGIN { x = 1; speculate(0); x = 2; printf("never\n"); }
BEGIN { printf("x %d\n", x); }
BEGIN { y = 1; speculate(1); y = 2; printf("never\n"); }
BEGIN { printf("y %d\n", y); }
BEGIN { commit(0); z = 1; }
BEGIN { discard(0); discard(1); z++; commit(1); z++; }
BEGIN { printf("z %d\n", z); exit(0); }
