/* args: -q -x nspec=2 */
/* Two concurrent speculations keep their own records, whichever is committed first. */
BEGIN { a = speculation(); b = speculation(); }
BEGIN { speculate(a); printf("a 1\n"); }
BEGIN { speculate(b); printf("b 1\n"); }
BEGIN { speculate(a); printf("a 2\n"); }
BEGIN { speculate(b); printf("b 2\n"); }
BEGIN { commit(b); }
BEGIN { speculate(b); printf("b is over\n"); }
BEGIN { c = speculation(); }
BEGIN { speculate(c); printf("c, in the place of b\n"); }
BEGIN { commit(a); }
BEGIN { commit(a); }
BEGIN { commit(c); }
BEGIN { exit(0); }
