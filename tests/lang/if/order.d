/* args: -q */
/*
 * A condition is evaluated once, in program order: it sees earlier effects, and its effects remain.
 */
BEGIN
{
	if (x++ == 0) x += 10;
	y = x;
	if (y == 11 && (z = 3)) { x = 0; if (x) y = 1; else y = 2; }
	if (y == 2 || (z = 4)) w = z;
	if ((q = w) == 3) q++; else q = 0;
	printf("%d %d %d %d %d\n", x, y, z, w, q);
	if (x) ; else if (x++) printf("no\n"); else if (x == 1) printf("yes\n"); else printf("no\n");
	exit(0);
}
