/* args: -r tests/pcap/empty.pcap -q -x errtags */
BEGIN
{
	s = "abc";
	s[1] = 'x';
}
