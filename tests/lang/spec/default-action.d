/* ways: replay checked */
/* A clause that only speculates records the line of its probe; a clause that only commits has no line. */
BEGIN { self->i = speculation(); }
BEGIN { speculate(self->i); }
BEGIN { trace(1); }
BEGIN { commit(self->i); }
BEGIN { discard(0); }
BEGIN { exit(0); }
