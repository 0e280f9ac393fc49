/* args: -x strsize=4096 */
/* One function compares all strings, however long they are and however often they are compared. */
BEGIN
{
	x = copyinstr(arg0);
	y = copyinstr(arg1);
	z = copyinstr(arg2);
	n += x < y;
	n += x == y;
	n += x >= y;
	n += x != y;
	n += y < z;
	n += y == z;
	n += y >= z;
	n += y != z;
	n += x < z;
	n += x == z;
	n += x >= z;
	n += x != z;
	n += y < x;
	n += y == x;
	n += y >= x;
	n += y != x;
	n += z < y;
	n += z == y;
	n += z >= y;
	n += z != y;
	n += z < x;
	n += z == x;
	n += z >= x;
	n += z != x;
	trace(n);
}
