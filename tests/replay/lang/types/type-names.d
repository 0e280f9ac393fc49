/* args: -r tests/pcap/empty.pcap -q */
/* Type names of Linux and D have the same widths as on a live machine. */
BEGIN
{
	printf("%d %d %d %d\n", sizeof (u8), sizeof (u16), sizeof (u32), sizeof (u64));
	printf("%d %d %d %d\n", sizeof (s8), sizeof (s16), sizeof (s32), sizeof (s64));
	printf("%d %d %d %d\n", sizeof (uint), sizeof (ulong), sizeof (ushort), sizeof (bool));
	printf("%d %d %d %d %d %d\n", sizeof (loff_t), sizeof (dev_t), sizeof (mode_t), sizeof (ino_t),
	    sizeof (sa_family_t), sizeof (clock_t));
	printf("%d %d %d %d\n", sizeof (struct in_addr), sizeof (struct sockaddr),
	    sizeof (struct sockaddr_in), sizeof (struct sockaddr_in6));
	printf("%d %d %d %d %d %d %d\n", sizeof (caddr_t), sizeof (boolean_t), sizeof (hrtime_t),
	    sizeof (in_port_t), sizeof (ulonglong_t), sizeof (processorid_t), sizeof (zoneid_t));
	printf("%d %d %d\n", (u8)-1, (s8)-1, (uint)-1 == 4294967295);
}
