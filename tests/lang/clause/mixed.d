/* args: -q */
/* Declarations, inlines and clauses in any order. The last ';' is optional, and repeated ones have no effect. */
int late;
typedef int number_t;
BEGIN { late = 1; mid = 2 }
inline int TWO = 2;
number_t x;
struct pair { int a, b; };
BEGIN { ; x = TWO;; mid += sizeof (struct pair); ; }
string s;
BEGIN { s = "done"; printf("%d %d %d %s\n", late, mid, x, s);; exit(0) }
