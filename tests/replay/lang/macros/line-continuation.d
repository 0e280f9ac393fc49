/* args: -r tests/pcap/empty.pcap -q */
BEGIN \
{
	printf("%d %s\n", 1 + \
	    2, "x");
}
