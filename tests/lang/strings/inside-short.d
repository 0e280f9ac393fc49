/* args: -q -x strsize=8 */
/* A string in a struct takes strsize bytes, like every string. */
struct { char before; string s; int after; } x;
BEGIN
{
	x.after = 5;
	x.s = "0123456789";
	printf("[%s] %d %d %d\n", x.s, x.after, sizeof(x), strlen(x.s));
	x.s = strjoin(x.s, "abc");
	printf("[%s] %d\n", x.s, x.after);
	exit(0);
}
