/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	this->x = 0x123456789abcdef0;
	printf("%x %x %x %x\n", (uint8_t)this->x, (uint16_t)this->x, (uint32_t)this->x, (uint64_t)this->x);
	printf("%d %d %d\n", (int8_t)this->x, (int16_t)this->x, (int32_t)this->x);
	printf("%d %d %d\n", (char)255, (unsigned char)255, (short)65535);
	printf("%d %d\n", (int)4294967295, (unsigned int)-1);
	printf("%d %d\n", (uint_t)1, (ulong_t)2);
}
