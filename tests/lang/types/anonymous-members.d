/* args: -q */
/* The members of an anonymous struct or union are those of what it is in. */
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
