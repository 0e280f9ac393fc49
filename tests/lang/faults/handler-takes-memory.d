/* args: -q */
/* ERROR clauses may allocate memory and write to it. */
struct pair { int a; long v[4]; };
struct pair p;
struct pair *at;
BEGIN { p.v[2] = 7; trace(*(int *)8); }
ERROR { at = alloca(64); *at = p; at->a = 5; printf("%d %d\n", at->a, at->v[2]); }
BEGIN { exit(0); }
