/* args: -x errtags */
struct s { int a; } x; struct t { int a; } y; BEGIN { x = y; }
