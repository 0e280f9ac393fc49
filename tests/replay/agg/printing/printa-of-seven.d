/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	@a[1, "x"] = count(); @b[1, "x"] = avg(10); @b[1, "x"] = avg(20); @c[1, "x"] = min(10); @d[1, "x"] = max(20);
	@e[2, "y"] = avg(7); @f[2, "y"] = min(7); @g[2, "y"] = max(7);
}
END { printa("%6d %4s %@5d %@5d %@5d %@5d %@5d %@5d %@5d\n", @a, @b, @c, @d, @e, @f, @g); }
