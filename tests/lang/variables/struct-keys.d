/* args: -q */
/*
 * The bytes of a struct or union are the key of an array. Every copy finds the same element; a
 * struct that differs in any byte does not.
 */
struct pair { int a; char b; short c[2]; };
union word { int i; char c[8]; };
struct long_one { long a[20]; };
struct odd { char c[5]; };
struct pair g, h;
union word w;
struct long_one z;
struct odd o;
struct pair *p;

BEGIN
{
	g.a = 1;
	g.b = 'x';
	h = g;
	h.c[1] = 3;
	m[g] = 10;
	m[h] = 20;
	printf("%d %d\n", m[g], m[h]);
	h.c[1] = 0;
	printf("%d\n", m[h]);
	h.c[1] = 3;
}
BEGIN
{
	p = (struct pair *)alloca(sizeof(struct pair));
	*p = g;
	this->l = g;
	vals[2] = h;
	printf("%d %d %d %d %d\n", m[*p], m[this->l], m[vals[2]], m[1 ? *p : h], m[(*p = h)]);
}
BEGIN
{
	n[1, g, "x"] = "text";
	printf("%s %d\n", n[1, this->l, "x"], n[1, h, "x"] == NULL);
	self->a[w, o] = 7;
	o.c[4] = 1;
	printf("%d", self->a[w, o]);
	o.c[4] = 0;
	printf(" %d\n", self->a[w, o]);
	z.a[19] = 5;
	big[z] = 3;
	z.a[19] = 6;
	printf("%d", big[z]);
	z.a[19] = 5;
	printf(" %d\n", big[z]);
}
BEGIN
{
	m[g] = 0;
	m[h]++;
	printf("%d %d\n", m[g], m[h]);
	exit(0);
}
