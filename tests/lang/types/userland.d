/* args: -q */
/* A pointer into a process may be declared userland; it works like other pointers. */
userland char *text;
userland struct { int a; int b; } *pair;
this userland int *number;
BEGIN
{
	text = (userland char *)5;
	pair = 0;
	this->number = (userland int *)16;
	printf("%d %d\n", (long)(text + 1), sizeof(*pair));
	printf("%d %d\n", (long)(this->number + 2), pair == NULL);
	exit(0);
}
