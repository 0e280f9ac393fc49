/* Type names that scripts use have the same widths everywhere. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d %d %d\n", sizeof(caddr_t), sizeof(boolean_t), sizeof(hrtime_t), sizeof(in_port_t),
	    sizeof(ulonglong_t));
	printf("%d %d %d %d %d %d\n", sizeof(processorid_t), sizeof(zoneid_t), sizeof(uint), sizeof(ulong),
	    sizeof(ushort), sizeof(bool));
	printf("%d %d %d %d %d %d %d %d\n", sizeof(u8), sizeof(u16), sizeof(u32), sizeof(u64), sizeof(s8), sizeof(s16),
	    sizeof(s32), sizeof(s64));
	printf("%d %d %d %d\n", sizeof(loff_t), sizeof(dev_t), sizeof(ino_t), sizeof(sa_family_t));
	printf("%d %d %d %d\n", sizeof(clock_t), sizeof(time_t), sizeof(off_t), sizeof(ipaddr_t));
	printf("%d %d %d %d\n", sizeof(struct in_addr), sizeof(struct sockaddr_in), sizeof(struct sockaddr_in6),
	    sizeof(struct sockaddr));
	printf("%d %d %d %d %d\n", sizeof(uchar_t), sizeof(ushort_t), sizeof(uint_t), sizeof(ulong_t), sizeof(id_t));
	printf("%d %d %d\n", sizeof(gid_t), sizeof(longlong_t), sizeof(u_longlong_t));
	printf("%d %d %d\n", (boolean_t)-1 < 0, (uint)-1 > 0, (zoneid_t)-1 < 0);
	exit(0);
}
