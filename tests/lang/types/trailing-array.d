/* args: -q */
/* Behind a pointer, a last member v[1] extends to the end of memory. In a variable it has one element. */
struct s { int n; int v[1]; };
struct s *p;
BEGIN
{
	p = alloca(sizeof (struct s) + 12);
	p->v[3] = 7;
	p->v[2] = p->v[3] - 1;
	i = 2;
	printf("%d %d\n", p->v[i], *(&p->n + 4));
	exit(0);
}
