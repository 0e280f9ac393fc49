/* args: -q */
/* A cast of a struct or union to its own type leaves it unchanged. */
struct s { int a; char c; } g;
typedef struct s s_t;
union u { int i; short h; } un;
struct s table[int];
BEGIN
{
	g.a = 7;
	g.c = 'x';
	un.i = 0x10002;
	whole = (struct s)g;
	table[1] = (s_t)whole;
	printf("%d %c %d %d %d\n", ((struct s)g).a, ((s_t)g).c, ((union u)un).h, whole.a, ((struct s)table[1]).a);
	print((s_t)g);
	exit(0);
}
