/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	printf("%d %d %d %d %d %d %d\n", 'a', '\n', '\0', '\'', '\\', '\101', '\x41');
	printf("%x %x\n", 'ab', 'abcd');
}
