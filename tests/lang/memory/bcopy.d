/* args: -q */
/* bcopy() copies a constant or computed number of bytes from any memory to allocated memory. */
struct s { int a, b; char name[8]; } v;
int *p;
BEGIN
{
	v.a = 1;
	v.b = 0x01020304;
	v.name[0] = 'x';
	p = alloca(16);
	bcopy(&v.a, p, 8);
	printf("%d %x\n", p[0], p[1]);
	n = 2;
	p[1] = -1;
	bcopy(&v.b, p + 1, n);
	printf("%x\n", p[1]);
	bcopy(v.name, p, n);
	printf("%s\n", stringof(p));
	bcopy(p, p + 2, 0);
	bcopy(p + 1, p + 2, n * 2);
	printf("%x\n", p[2]);
}
BEGIN { p = NULL; bcopy(&v.a, p, 4); printf("no\n"); }
BEGIN { p = alloca(8); bcopy(NULL, p, 8); printf("no\n"); }
BEGIN { p = NULL; bcopy(&v.a, p, n); printf("no\n"); }
BEGIN { p = NULL; *p = 1; printf("no\n"); }
BEGIN { p = alloca(4); *p = 5; x = *p; p = NULL; p[1]++; printf("no\n"); }
BEGIN { printf("%d\n", x); exit(0); }
