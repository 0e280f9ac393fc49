#!/usr/bin/env -S dtrace -s
/*
 * tcpdrop.d - a line for every TCP segment that the kernel throws away, and why; at the end the reasons.
 *
 * usage: tcpdrop.d
 *
 * Live only, for a capture does not know: tcp:::drop is a probe of Linux, REASON the
 * kernel's own name.
 *
 * TIME is milliseconds since the start.  Of long addresses (IPv6) the destination and
 * the reason stand on a line of their own.
 *
 *	TIME(ms)   SOURCE           PORT DESTINATION      PORT REASON
 *	1000       192.0.2.1       40000 192.0.2.2          81 NO_SOCKET
 */
#pragma D option quiet

/* In front of the destination. */
inline string NEXT = strlen(args[2]->ip_saddr) > 15 || strlen(args[2]->ip_daddr) > 15 ?
	"\n           " : " ";

BEGIN
{
	printf("%-10s %-15s %5s %-15s %5s %s\n", "TIME(ms)", "SOURCE", "PORT", "DESTINATION", "PORT", "REASON");
	start = timestamp;
}

tcp:::drop
{
	printf("%-10d %-15s %5d%s%-15s %5d %s\n", (timestamp - start) / 1000000, args[2]->ip_saddr,
	    args[4]->tcp_sport, NEXT, args[2]->ip_daddr, args[4]->tcp_dport, args[5]->drop_reason);
	@reasons[args[5]->drop_reason, tcp_state_string[args[3]->tcps_state]] = count();
}

END
{
	printf("\n%-40s %-20s %8s\n", "REASON", "SOCKET", "SEGMENTS");
	printa("%-40s %-20s %@8d\n", @reasons);
}
