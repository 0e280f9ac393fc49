/* args: -q */
/*
 * Addresses inside variables can be read and written through, and kept. Members of structs in
 * allocated memory work the same. Elements of associative arrays and of self-> have no address.
 */
struct in { short s; int v[3]; };
struct st { int a; struct in in; char name[8]; string text; struct st *next; } x, y;
int arr[4];
int grid[2][3];
this struct st l;
self struct st t;
struct st tab[int];
int *ip;
char *cp;
struct st *p;
BEGIN
{
	ip = &x.a;
	*ip = 7;
	ip[0]++;
	*ip += 2;
	printf("%d %d\n", x.a, *ip);
	ip = arr;
	*(ip + 1) = 11;
	ip[3] = 33;
	*(arr + 2) = 22;
	*arr = 5;
	printf("%d %d %d %d\n", arr[0], arr[1], arr[2], arr[3]);
	ip = &arr[1];
	i = 2;
	ip[i] = 34;
	*&arr[0] = -1;
	printf("%d %d %d\n", arr[3], arr[0], &arr[3] - ip);
	ip = grid[1];
	ip[2] = 12;
	printf("%d\n", grid[1][2]);
	x.next = (struct st *)&y.a;
	x.next->in.v[2] = 99;
	x.next->in.s = -3;
	x.next->name[0] = 'y';
	printf("%d %d %s\n", y.in.v[2], y.in.s, y.name);
	cp = x.name;
	cp[0] = 'h'; cp[1] = 'i';
	bcopy(cp, this->m = (char *)alloca(8), 3);
	printf("%s %s\n", x.name, stringof(this->m));
	ip = &this->l.a;
	*ip = 77;
	this->p = &this->l.in;
	this->p->v[0] = this->p->v[0] + 5;
	printf("%d %d\n", this->l.a, this->l.in.v[0]);
	this->q = (struct st *)ip;
	this->q->text = "inner";
	printf("%s\n", this->l.text);
	p = alloca(sizeof(struct st));
	p->in.v[1] = 4; p->text = strjoin("al", "loca"); p->next = p;
	ip = &p->next->in.v[1];
	*ip *= 3;
	printf("%d %s %d\n", p->in.v[1], p->next->text, p->next == p);
	tab[1].a = 8; self->t.a = 9;
}
BEGIN { ip = NULL; *ip = 1; printf("not shown"); }
BEGIN { printf("%d %d\n", tab[1].a, self->t.a); exit(0); }
