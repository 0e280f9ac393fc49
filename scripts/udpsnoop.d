#!/usr/bin/env -S dtrace -s
/*
 * udpsnoop.d - a line for every UDP datagram that is sent or received.
 *
 * usage: udpsnoop.d [-r CAPTURE]
 *
 * TIME is milliseconds since the start, BYTES the data's, LPORT this host's port; -> sent, <- received.  A
 * long address (IPv6) has a line of its own.
 *
 *	TIME(ms)     PID COMMAND          BYTES LPORT    REMOTE           PORT
 *	1000         612 resolver            42 40000 -> 192.0.2.2          53
 */
#pragma D option quiet

/* In front of the remote address. */
inline string NEXT = strlen(args[3]->udps_raddr) > 15 ? "\n                               " : " ";

BEGIN
{
	start = timestamp;
	printf("%-8s %7s %-15s %6s %5s    %-15s %5s\n", "TIME(ms)", "PID", "COMMAND", "BYTES", "LPORT", "REMOTE", "PORT");
}

udp:::send, udp:::receive
{
	printf("%-8d %7d %-15S %6d %5d %s%s%-15s %5d\n", (timestamp - start) / 1000000, args[1]->cs_pid,
	    args[1]->cs_execname, args[4]->udp_length - 8, args[3]->udps_lport, probename == "send" ? "->" : "<-", NEXT,
	    args[3]->udps_raddr, args[3]->udps_rport);
}
