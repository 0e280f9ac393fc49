/* args: -q */
/* Members of an anonymous struct or union belong to the enclosing type. */
struct s { int a; union { int b; struct { short lo, hi; }; }; };
struct s g;
BEGIN
{
	g.a = 1;
	g.b = 0x30002;
	printf("%d %d %d %d\n", g.a, g.lo, g.hi, sizeof (struct s));
	g.hi++;
	printf("%d\n", g.b);
	exit(0);
}
