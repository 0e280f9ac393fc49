/* args: -q */
/*
 * Assignment copies a whole struct, between variables of every scope. A new variable takes the type
 * of the value.
 */
struct s { int a; char c[6]; int64_t d[3]; };
struct s g, h;
self struct s t;
struct s arr[2];
BEGIN
{
	g.a = 1;
	g.c[0] = 'q';
	g.d[2] = 33;
	h = g;
	g.a = 2;
	printf("%d %s %d\n", h.a, h.c, h.d[2]);
	self->t = g;
	this->l = self->t;
	this->l.a++;
	i = 1;
	arr[i] = this->l;
	printf("%d %d %d %d\n", self->t.a, this->l.a, arr[1].a, arr[i].d[2]);
	n = (h = arr[1]).d[2];
	printf("%d %d\n", n, h.a);
	self->u = h;
	printf("%d\n", self->u.a);
	self->u = 0;
	printf("%d\n", self->u.a);
	exit(0);
}
