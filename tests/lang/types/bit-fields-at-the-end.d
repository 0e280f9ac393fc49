/* args: -q */
/* A bit-field that spans the last two bytes of a struct stays inside that struct. */
struct s { int x; unsigned a:14; int b:11; int c:7; };
struct s g[2];
this struct s t;
self struct s u;
struct s v[int];
BEGIN
{
	g[1].c = 5;
	i = 1;
	g[i - 1].b = -700;
	g[i].b = 1000;
	g[i].c++;
	printf("%d %d %d %d\n", g[0].b, g[0].c, g[1].b, g[1].c);
	this->t.b = 3;
	self->u = this->t;
	self->u.b *= 100;
	v[7] = self->u;
	v[7].b++;
	this->p = (struct s *)alloca(sizeof (struct s));
	*this->p = v[7];
	this->p->b -= 2;
	printf("%d %d %d %d %d\n", this->t.b, self->u.b, v[7].b, this->p->b, this->p->a + this->p->c);
	exit(0);
}
