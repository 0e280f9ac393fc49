/* args: -q -r tests/pcap/udp.pcap */
/* A number is printed by its type's sign and width; an address in a key is hexadecimal. printf()
 * follows its own conversion. */
BEGIN
{
	trace((uint32_t)3000000000); trace("\n");
	trace((int32_t)3000000000); trace("\n");
	trace((uint64_t)-1); trace("\n");
	trace((int8_t)-1); trace("\n");
	trace((uint8_t)-1); trace("\n");
	trace((int16_t)-2); trace("\n");
	@[(uint32_t)3000000000, (int16_t)-1, (uint64_t)-1] = count();
	@address[(uintptr_t)0x1234, (void *)-1] = count();
	printf("%d\n", (uint32_t)3000000000);
	printa("%d %d %u\n", @);
	printa(@address);
	printa(@);
	exit(0);
}

END
{
	trunc(@);
	trunc(@address);
}
