/* args: -q */
/* alloca() memory is read and written through pointers of any type, wherever the pointers are stored. */
struct s { int a; short b; struct s *next; int arr[3]; unsigned lo:4, hi:4; };
int *p;
struct s *q;
BEGIN
{
	p = alloca(8);
	*p = 7;
	p[1] = *p + 1;
	printf("%d %d\n", *p, p[1]);
	(*p)++;
	*(p + 1) += 3;
	printf("%d %d\n", p[0], p[1]);
	q = alloca(sizeof (struct s));
	q->a = 3;
	q->b = -1;
	q->next = q;
	i = 2;
	q->next->arr[i] = 9;
	q->b--;
	q->lo = 0;
	q->hi = 10;
	q->hi++;
	printf("%d %d %d %d %d %d\n", q->a, q->b, q->arr[2], q->next->next->a, q->lo, q->hi);
	this->r = (struct s *)alloca(sizeof (struct s));
	*this->r = *q;
	self->r = this->r;
	self->r->a *= 5;
	printf("%d %d %d\n", q->a, this->r->a, self->r->arr[2]);
	this->c = (char *)alloca(i + 1);
	this->c[0] = 'o';
	this->c[i - 1] = 'k';
	this->c[2] = 0;
	printf("%s\n", stringof(this->c));
	s = *q;
	s.a = 4;
	*q = s;
	printf("%d %d\n", q->a, (*q).arr[2]);
	exit(0);
}
