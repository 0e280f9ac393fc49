/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	printf("%d %i %u %o %x %X\n", 42, 42, 42, 42, 42, 42);
	printf("%d %i %u\n", -1, -1, -1);
	printf("%x %o\n", (char)-1, (short)-1);
	printf("%d %u %x\n", (uint8_t)200, (int8_t)-56, (int16_t)-2);
	printf("%d %i\n", (uint64_t)-1, (uint64_t)-1);
	printf("%lld %llx %ld %lu %hd %hu\n", -5ll, -5ll, 5l, (unsigned long)5, (short)-3, (unsigned short)65533);
}
