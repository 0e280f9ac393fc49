/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	printf("%d %d %d %d %d %d\n", 10, 010, 0x10, 4294967296, 0xffffffff, 0xffffffffffffffff);
	printf("%d %d %d %d %d\n", sizeof(1), sizeof(1l), sizeof(1ll), sizeof(1u), sizeof(1ul));
	printf("%d %d %d %d\n", sizeof(2147483647), sizeof(2147483648), sizeof(0xffffffff), sizeof(0x100000000));
	printf("%d %d\n", 2147483648, 18446744073709551615u);
}
