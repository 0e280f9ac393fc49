/* args: -q -x nspec=2 -x specsize=64 */
/* A speculation has limited room. Records beyond it are dropped and counted. */
BEGIN { a = speculation(); b = speculation(); }
BEGIN, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN, BEGIN { speculate(a); printf("%d\n", i++); }
BEGIN { speculate(b); printf("b\n"); }
BEGIN { commit(a); }
BEGIN { commit(b); }
BEGIN { printf("%d\n", i); exit(0); }
