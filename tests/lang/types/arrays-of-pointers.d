/* args: -q */
/* Pointers in arrays, in structs and to functions. */
struct s { int a; char *p; int (*fn)(int); struct s *next; };
char *n[2];
struct s *list[int];
struct s v;
int (*fp)(void *);
BEGIN
{
	n[1] = (char *)0x10;
	i = 1;
	n[0] = n[i]++;
	printf("%p %p %d\n", n[0], n[1], sizeof (n));
	v.next = alloca(sizeof (struct s));
	v.next->a = 3;
	v.next->next = v.next;
	list[3] = v.next->next;
	list[3]->a++;
	printf("%d %d\n", v.next->a, list[3]->next->a);
	v.fn = (int (*)(int))0xffff;
	fp = NULL;
	printf("%p %p %d %d\n", v.fn, fp, sizeof (fp), list[4] == NULL);
	v.a = 12;
	q = &v.a;
	printf("%d %d\n", *q, &v.fn == (void *)((char *)&v.a + 16));
	exit(0);
}
