/* args: -q */
/* NULL is the constant 0 and converts to any number and pointer type. */
struct s { int a; struct s *next; } g;
inline int none = NULL;
inline struct s *nowhere = NULL;
BEGIN
{
	self->ts = timestamp;
	self->ts = NULL;
	self->p = curthread;
	self->p = NULL;
	a[1] = 5;
	a[1] = NULL;
	g.next = NULL;
	g.a = NULL;
	printf("%d %d %d %d %u %x\n", self->ts, self->p == NULL, a[1], g.next == 0, NULL, NULL);
	printf("%d %d %d %d\n", sizeof(NULL), NULL + 1, none, nowhere == NULL);
	printf("%d %d\n", (1 ? NULL : curthread) == 0, NULL == 0 && !NULL);
	x = NULL;
	x = 7;
	trace(x);
	trace(NULL);
	@[NULL] = count();
	@m["max"] = max(NULL);
	exit(NULL);
}
