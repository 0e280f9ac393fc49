/* args: -x errtags */
struct s { int a; } x; BEGIN { x = 0; }
