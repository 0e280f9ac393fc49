/* args: -q */
/* Structs with equal bytes are one key, printed as trace() prints memory: 4 bytes as a number. */
struct pair { int a; char b; short c[2]; };
struct four { char c[4]; };
struct pair g, h;
struct four f;
BEGIN
{
	g.a = 9;
	g.b = 'x';
	h = g;
	h.c[1] = 3;
	@a[g] = count();
	@a[h] = count();
	h.c[1] = 0;
	@a[h] = count();
	f.c[1] = 1;
	@b[f, "four"] = sum(5);
	exit(0);
}
