/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	printf("%x %x %x\n", htons(0x1234), htonl(0x12345678), htonll(0x123456789abcdef0));
	printf("%x %x %x\n", ntohs(0x1234), ntohl(0x12345678), ntohll(0x123456789abcdef0));
	printf("%x %d %d %d\n", ntohs(0xff001234), sizeof(ntohs(1)), sizeof(ntohl(1)), sizeof(ntohll(1)));
	x = 0x0102030405060708;
	printf("%x %x %x\n", htons(x), htonl(x), htonll(x));
}
