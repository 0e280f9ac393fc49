/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	@n["a"] = count(); @n["b"] = count(); @n["b"] = count();
	@s["b"] = sum(10); @s["c"] = sum(-3);
	@q["c"] = quantize(1);
	printa("%s %@d %@d\n", @n, @s);
	printa(@n, @s);
	printa("%-3s %@4d %@4d %@4d\n", @n, @s, @s);
}
END { trunc(@q); }
