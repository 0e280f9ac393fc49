/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	printf("%s %s %s %s\n", lltostr(0), lltostr(42), lltostr(-42), lltostr(0x7fffffffffffffff));
	printf("%s %s %s %s\n", lltostr(255, 16), lltostr(8, 8), lltostr(-1, 16), lltostr(-5, 10));
	printf("%s %d\n", strjoin("n", lltostr(7)), lltostr(12) == "12");
}
