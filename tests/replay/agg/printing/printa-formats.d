/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	@["a", 5] = sum(42); @["bb", -6] = sum(-7);
	printa("%s %d %@d\n", @);
	printa("%@d %s %d\n", @);
	printa("%5s|%-5d|%@6d|\n", @);
	printa("%-5s|%05d|%@-6d|\n", @);
	printa("%s %@d %@x %@u\n", @);
	printa("%s\n", @);
	printa("%@d\n", @);
	printa("row\n", @);
}
