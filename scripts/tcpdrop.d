#!/usr/bin/env -S dtrace -s
/*
 * tcpdrop.d - a line for every TCP segment that the kernel throws away, and why; at the end the reasons.
 *
 * usage: tcpdrop.d
 *
 * Live only, for a capture does not know: tcp:::drop is a probe of Linux, REASON the
 * kernel's own name.
 *
 *	TIME                 SOURCE           PORT    DESTINATION      PORT STATE                REASON
 *	2023 Nov 14 22:13:20 192.0.2.1       40000 -> 192.0.2.2          81 state-closed         NO_SOCKET
 */
#pragma D option quiet

BEGIN
{
	printf("%-20s %-15s %5s    %-15s %5s %-20s %s\n", "TIME", "SOURCE", "PORT", "DESTINATION", "PORT", "STATE",
	    "REASON");
}

tcp:::drop
{
	printf("%Y %-15s %5d -> %-15s %5d %-20s %s\n", walltimestamp, args[2]->ip_saddr, args[4]->tcp_sport,
	    args[2]->ip_daddr, args[4]->tcp_dport, tcp_state_string[args[3]->tcps_state], args[5]->drop_reason);
	@reasons[args[5]->drop_reason] = count();
}

END
{
	printf("\n%-40s %8s\n", "REASON", "SEGMENTS");
	printa("%-40s %@8d\n", @reasons);
}
