/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	s = "abc";
	printf("%d %d %d %d\n", s == "abc", s == "abd", s != "abc", s != "ab");
	printf("%d %d %d %d\n", "a" == "a", "a" == "b", "abc" == s, "" == s);
	printf("%d %d\n", probename == "BEGIN", probename == "END");
}
