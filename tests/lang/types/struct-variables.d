/* args: -q */
/* A struct variable of each scope starts as zeros. Nested members and increments work. */
struct in { char c; int64_t v; };
struct s { int a; unsigned short b; struct in in; };
struct s g;
self struct s t;
this struct s l;
BEGIN
{
	printf("%d %d %d\n", g.a, self->t.in.v, this->l.b);
	g.a = 7;
	g.a++;
	g.a += 10;
	g.b = 65537;
	g.in.v = -5;
	g.in.c = 'x';
	printf("%d %d %d %c\n", g.a, g.b, g.in.v, g.in.c);
	self->t.a = 3;
	self->t.in.v = self->t.a + 1;
	printf("%d %d %d\n", self->t.a, self->t.in.v, --self->t.a);
	this->l.a = 9;
	this->l.in.v = this->l.a-- * 2;
	printf("%d %d\n", this->l.a, this->l.in.v);
}
BEGIN { printf("%d %d %d\n", g.in.v, self->t.a, this->l.a); exit(0); }
END { printf("%d %d\n", g.a, this->l.a); }
