/* args: -q -x nspec=3 */
/*
 * Numbers from 1 to nspec, 0 if all are in use. A number is free again when its speculation has
 * ended.
 */
BEGIN { printf("%d %d %d %d\n", speculation(), speculation(), speculation(), speculation()); }
BEGIN { commit(2); }
BEGIN { printf("%d\n", x = speculation()); }
BEGIN { discard(3); }
BEGIN { printf("%d %d\n", speculation(), speculation()); exit(0); }
