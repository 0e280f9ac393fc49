/* args: -r tests/pcap/empty.pcap -q -x strsize=8 */
BEGIN
{
	a = "0123456789";
	b = a;
	a = "x";
	printf("%s %s %d\n", a, b, strlen(b));
}
