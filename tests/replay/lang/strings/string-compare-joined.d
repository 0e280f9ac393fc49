/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	s = "abc";
	printf("%d %d\n", s == strjoin("a", "bc"), strjoin("a", s) == s);
}
