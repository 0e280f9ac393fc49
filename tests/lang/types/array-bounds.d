/* args: -q */
/* A computed index outside of the array is a fault, for reads and writes. */
int g[5];
self int t[2][2];
BEGIN { i = 4; g[i] = 1; printf("%d\n", g[i]); }
BEGIN { g[i + 1] = 1; printf("not reached\n"); }
BEGIN { trace(g[i - 5]); }
BEGIN { self->t[0][i - 2]++; printf("not reached\n"); }
BEGIN { printf("%d\n", self->t[1][0]); exit(0); }
