/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	s = "abc";
	printf("%d %d %d %d\n", s < "abd", s > "abd", s <= "abc", s >= "abcd");
	printf("%d %d\n", "a" < "b", "B" < "a");
}
