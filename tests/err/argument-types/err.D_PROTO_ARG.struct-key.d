/* args: -x errtags */
/* All struct keys of one aggregation must have the same type, because bytes do not show it. */
struct s { int a; } g;
struct t { int b; } h;
BEGIN { @[g] = count(); @[h] = count(); }
