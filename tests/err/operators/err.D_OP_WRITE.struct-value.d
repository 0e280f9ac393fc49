/* args: -x errtags */
struct s { int a; } x, y; BEGIN { (x = y).a = 1; }
