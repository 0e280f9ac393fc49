/* args: -q */
/* A fault discards the speculative records of its own clause, and nothing else. */
BEGIN { s = speculation(); }
BEGIN { speculate(s); printf("one\n"); }
BEGIN { speculate(s); printf("two\n"); trace(*(int *)NULL); }
ERROR { speculate(s); printf("error\n"); }
BEGIN { speculate(s); printf("three\n"); }
BEGIN { commit(s); }
BEGIN { exit(0); }
