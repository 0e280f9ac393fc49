/* args: -x errtags */
struct s { int n; int v[1]; } x; BEGIN { x.v[1] = 1; }
