/* args: -q */
/* A bit-field keeps its number of bits, and leaves its neighbours unchanged. */
struct s { unsigned a:3; int b:5; unsigned c:12; uint64_t d:40; };
struct s g;
self struct s t;
BEGIN
{
	g.a = 5;
	g.b = -3;
	g.c = 0xabcd;
	g.d = 0x123456789a;
	printf("%d %d %x %x\n", g.a, g.b, g.c, g.d);
	g.a++;
	g.b -= 14;
	g.c |= 3;
	printf("%d %d %x %x\n", g.a, g.b, g.c, g.d);
	x = (g.a = 9);
	y = (g.b = 31);
	printf("%d %d %d %d\n", x, y, g.a, g.b);
	self->t.b = 15;
	self->t.b++;
	printf("%d %d %d\n", self->t.a, self->t.b, self->t.c);
	exit(0);
}
