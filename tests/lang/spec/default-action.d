/* ways: replay checked */
/* A clause that only speculates records the probe's line; one that only commits has none. */
BEGIN { self->i = speculation(); }
BEGIN { speculate(self->i); }
BEGIN { trace(1); }
BEGIN { commit(self->i); }
BEGIN { discard(0); }
BEGIN { exit(0); }
