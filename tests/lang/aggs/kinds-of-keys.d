/* args: -q */
/*
 * Keys: every width of integer, strings, enums, pointers, several at once. Keys that differ in any
 * bit are different keys.
 */
enum colour { RED, GREEN };
BEGIN
{
	@a[(char)-1, (short)-2, -3, -4LL] = count();
	@a[(char)-1, (short)-2, -3, -5LL] = count();
	@b["x", 1] = sum(5); @b["x", 2] = sum(6); @b["y", 1] = sum(4);
	@c[GREEN] = count(); @c[RED] = count();
	@d[(void *)16] = count();
	@e = count();
	@f[strjoin("a", "b"), probename] = count(); @f["ab", "BEGIN"] = count();
	exit(0);
}
END { printa("%d %d %d %d: %@d\n", @a); printa("%s %d: %@d\n", @b); printa("%d: %@d\n", @c); printa("%p: %@d\n", @d); }
END { printa("%@d\n", @e); printa("%s %s: %@d\n", @f); }
