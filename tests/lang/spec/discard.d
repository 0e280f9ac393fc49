/* args: -q */
/* Records that are discarded, or neither discarded nor committed, are never shown. */
BEGIN { self->id = speculation(); }
BEGIN { speculate(self->id); printf("never\n"); x = 1; }
BEGIN { discard(self->id); printf("x %d\n", x); }
BEGIN { commit(self->id); }
BEGIN { self->other = speculation(); speculate(self->other); printf("nor this\n"); }
BEGIN { exit(0); }
END { printf("end\n"); }
