/* args: -q */
/* A struct prints a line for each member, indented by depth; each value prints as its type does. */
enum e { RED, GREEN = 5 };
struct in { char c; int v[3]; };
union u { int i; short s; };
struct foo {
	int a; unsigned f:3; int g:5; char name[8]; enum e e; struct in in; struct in arr[2];
	void *p; union u u; struct { int an; }; char z[4]; int64_t m[2][2]; enum e other;
} x;
BEGIN
{
	x.a = -1; x.f = 5; x.g = -1; x.name[0] = 'h'; x.name[1] = 'i'; x.e = 5; x.in.c = 'q'; x.in.v[1] = 7;
	x.arr[1].v[2] = 8; x.arr[0].c = '\n'; x.p = (void *)0x1234; x.u.i = 3; x.an = 9; x.z[0] = '\001'; x.m[1][0] = 16;
	x.other = 2;
	print(x);
	exit(0);
}
