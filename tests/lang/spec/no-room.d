/* args: -q -x specsize=0 */
/* No room at all: nothing can be speculated, nothing else changes. */
BEGIN { self->i = speculation(); printf("%d\n", self->i); }
BEGIN { speculate(self->i); printf("never\n"); }
BEGIN { commit(self->i); }
BEGIN { exit(0); }
