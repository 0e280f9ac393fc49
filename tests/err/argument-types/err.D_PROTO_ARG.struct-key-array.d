/* args: -x errtags */
/* A number is no struct, even of its size. */
struct s { int a; } g;
BEGIN { m[g] = 1; m[1] = 2; }
