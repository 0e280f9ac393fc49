/* args: -q */
/* Dividing by a zero unknown at compile time: a fault, for / and %, in any width. */
int zero;
ERROR { printf("%d %d\n", arg4, ++n); }
BEGIN { x = 1 / zero; }
BEGIN { x = 1 % zero; }
BEGIN { x = (uint64_t)5 / (char)zero; }
BEGIN { zero /= zero; }
BEGIN { printf("%d %d\n", x, -9223372036854775807LL / (zero - 1) == 9223372036854775807LL); exit(0); }
