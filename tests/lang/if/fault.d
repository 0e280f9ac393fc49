/* args: -q */
/*
 * A fault in a branch ends the whole clause, not only the branch, and discards the record of the
 * clause. Variables and aggregations keep their new values.
 */
ERROR { printf("error: action %d\n", arg2); }
BEGIN
{
	printf("not shown\n");
	a = 1;
	if (a) {
		b = 2;
		@["before"] = count();
		trace(*(int *)NULL);
		b = 3;
	}
	c = 4;
	printf("not shown either\n");
}
BEGIN
{
	if (a == 7)
		trace(*(int *)NULL);
	else
		printf("a %d b %d c %d\n", a, b, c);
}
BEGIN { if (*(int *)NULL) d = 1; else d = 2; d = 3; printf("nor this\n"); }
BEGIN { printf("d %d\n", d); if (a) { printf("and nothing of this"); if (b) { c = 5; if (1 / d) c = 6; } } }
BEGIN { printf("c %d\n", c); printa(@); exit(0); }
