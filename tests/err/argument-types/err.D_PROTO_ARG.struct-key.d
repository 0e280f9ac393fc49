/* args: -x errtags */
/* Structs as keys of one aggregation are of one type: their bytes do not tell which. */
struct s { int a; } g;
struct t { int b; } h;
BEGIN { @[g] = count(); @[h] = count(); }
