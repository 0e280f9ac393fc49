/* args: -q */
/* END may commit records that were speculated before exit(). */
BEGIN { sp = speculation(); }
BEGIN { speculate(sp); printf("kept\n"); }
BEGIN { printf("before\n"); exit(0); }
END { commit(sp); }
END { printf("behind\n"); }
