/* args: -q */
/*
 * In a packed struct, a bit-field may span 9 bytes. No access to a bit-field goes beyond the struct.
 */
struct s { uint64_t a:60; int b:10; uint64_t c:61; int64_t d:62; unsigned e:20; } __attribute__((packed));
struct t { unsigned a:20; } __attribute__((packed));
struct s g;
self struct s u;
BEGIN
{
	g.a = 0xfedcba987654321;
	g.b = -5;
	g.c = 0x123456789abcdef1;
	g.d = -0x123456789abcdef1;
	g.e = 0xabcde;
	printf("%d: %x %d %x %d %x\n", sizeof (struct s), g.a, g.b, g.c, g.d, g.e);
	g.c = ~g.c;
	g.d++;
	printf("%x %d %x %d %x\n", g.a, g.b, g.c, g.d, g.e);
	x = (g.d = 1ULL << 61);
	g.c = 0;
	printf("%d %x %d %x %d %x\n", x, g.a, g.b, g.c, g.d, g.e);
	print(g);
	self->u = g;
	self->u.c -= 2;
	printf("%x %d\n", self->u.c, self->u.d);
	this->p = (struct t *)alloca(8 * sizeof (struct t));
	this->p[6].a = 0x12345;
	this->p[7].a = 0x54321;
	printf("%d: %x %x\n", sizeof (struct t), this->p[6].a, this->p[7].a);
	exit(0);
}
