int n;

BEGIN { trace(*(int *)n); trace(10 / n); }
ERROR { exit(1); }
