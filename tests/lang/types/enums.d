/* args: -q */
/* An enum is an int, even without negative numbers. */
enum e { NONE, ONE } g;
self enum e s;
this enum e t;
BEGIN
{
	printf("%d %d %d\n", --g, --self->s, --this->t);
	printf("%x %s\n", (int64_t)self->s, lltostr(g -= 1, 16));
	printf("%d %d\n", g < NONE, self->s == -1);
	exit(0);
}
