/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	printf("%d %d\n", -1 < 1u, -1 < 1);
	printf("%d %d\n", (uint64_t)-1 > 0, (int64_t)-1 > 0);
	printf("%d %u\n", (uint64_t)-8 / 2, (uint64_t)-8 / 2);
	printf("%d %d\n", -8ll / 2, -8ll % 3);
	printf("%x %x\n", (uint64_t)-16 >> 60, -16ll >> 60);
	printf("%u %u\n", (uint64_t)-1 % 10, (uint64_t)-1 / 10);
}
