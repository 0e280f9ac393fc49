/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	x++;
	printf("%d %d\n", x, sizeof(x));
	x = 0x7fffffffffffffff;
	printf("%d\n", x);
}
