#!/usr/bin/env -S dtrace -s
/*
 * udpdrop.d - a line for every UDP datagram that the kernel drops, and why.
 *
 * usage: dtrace udpdrop [wide]
 *
 * Prints the number of datagrams for each reason at the end. REASON is the kernel's own name.
 * PID is the process that owns the socket, or -1. A long address (IPv6) begins a new line. With
 * the argument wide, long addresses stay in the line, which is then wider than 80 columns.
 *
 * Live only.
 *
 *	    PID COMMAND         LPORT REMOTE           PORT REASON
 *	    612 resolver           53 198.51.100.7    40000 SOCKET_RCVBUFF
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";
inline int WRONG = $$1 != "" && !WIDE;
inline int ADDRESS = WIDE ? 39 : 15; /* width of an address */

/* The text before the remote address: a blank, or a new line if the address is long. */
inline string NEXT = !WIDE && strlen(args[3]->udps_raddr) > 15 ? "\n          " : " ";

BEGIN
/WRONG/
{
	printf("usage: dtrace udpdrop [wide]\n");
	exit(1);
}

BEGIN
{
	printf("%7s %-15s %5s %-*s %5s %s\n", "PID", "COMMAND", "LPORT", ADDRESS, "REMOTE", "PORT", "REASON");
}

udp:::drop
{
	printf("%7d %-15S %5d%s%-*s %5d %s\n", args[1]->cs_pid, args[1]->cs_execname, args[3]->udps_lport,
	    NEXT, ADDRESS, args[3]->udps_raddr, args[3]->udps_rport, args[5]->drop_reason);
	@reasons[args[5]->drop_reason] = count();
}

END
/!WRONG/
{
	printf("\n%-40s %10s\n", "REASON", "DATAGRAMS");
	printa("%-40s %@10d\n", @reasons);
}
