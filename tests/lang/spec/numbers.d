/* args: -q -x nspec=3 */
/*
 * speculation() returns a number from 1 to nspec, or 0 if all are in use. The end of a speculation
 * frees its number.
 */
BEGIN { printf("%d %d %d %d\n", speculation(), speculation(), speculation(), speculation()); }
BEGIN { commit(2); }
BEGIN { printf("%d\n", x = speculation()); }
BEGIN { discard(3); }
BEGIN { printf("%d %d\n", speculation(), speculation()); exit(0); }
