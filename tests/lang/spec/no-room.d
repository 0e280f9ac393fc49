/* args: -q -x specsize=0 */
/* Without any room, nothing can be speculated; the rest of the program is unaffected. */
BEGIN { self->i = speculation(); printf("%d\n", self->i); }
BEGIN { speculate(self->i); printf("never\n"); }
BEGIN { commit(self->i); }
BEGIN { exit(0); }
