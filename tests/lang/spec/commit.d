/* args: -q */
/*
 * commit() shows speculative records in their order, after records that were shown
 * before.
 */
BEGIN { self->id = speculation(); }
BEGIN { speculate(self->id); printf("one %d\n", 1); }
BEGIN { printf("not speculative\n"); }
BEGIN { speculate(self->id); printf("two %s\n", "2"); x = 3; }
BEGIN { printf("before it is committed\n"); }
BEGIN { commit(self->id); }
BEGIN { printf("behind: %d\n", x); exit(0); }
