/* args: -q */
/* Variables start as zero. The type is declared or from the first assignment; later values are truncated. */
int declared;
self char kept;
this short local;
string text;
uint8_t a[int];
self uint16_t b[string, int];

BEGIN { printf("%d %d %d '%s' %d %d %d\n", declared, self->kept, this->local, text, a[1], self->b["x", 1], text == ""); }
BEGIN
{
	declared = 1LL << 32 | 5;
	self->kept = 257;
	this->local = 65535;
	text = "abc";
	a[1] = 260;
	self->b["x", 1] = 65537;
	first = (char)200;
	first = 1000;
	self->one = 1; self->one = 0;
	printf("%d %d %d %s %d %d %d %d\n", declared, self->kept, this->local, text, a[1], self->b["x", 1], first, self->one);
}
BEGIN { wide++; self->n++; self->n++; q[1]++; q[1] += 1LL << 40; printf("%d %d %d %d\n", wide, self->n, q[1] == (1LL << 40) + 1, q[2]); }
BEGIN { printf("%d %d %d\n", sizeof (wide), sizeof (first), sizeof (declared)); exit(0); }
