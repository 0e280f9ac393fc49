/* args: -x errtags */
struct s { int a; } x; BEGIN { trace(&x); }
