/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	a = 1;
	b = 1ll;
	c = (uint8_t)1;
	d = "text";
	printf("%d %d %d %d\n", sizeof(a), sizeof(b), sizeof(c), sizeof(d));
	c = 257;
	printf("%d\n", c);
	a = 4294967297;
	printf("%d\n", a);
}
