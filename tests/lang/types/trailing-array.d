/* args: -q */
/* An array of one element that ends a struct behind a pointer has as many as there is room for; of a variable it has one. */
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
