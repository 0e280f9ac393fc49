/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	@s = sum(-5); @s = sum(3); @lo = min(-7); @lo = min(2); @hi = max(-7); @hi = max(-2);
	@a = avg(-7); @a = avg(2); @d = stddev(-10); @d = stddev(10);
}
