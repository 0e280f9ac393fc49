#!/usr/bin/env -S dtrace -s
/*
 * tcpconnlog.d - a line for every TCP connection that is opened or refused.
 *
 * usage: tcpconnlog.d [-r CAPTURE]
 *
 * out: opened from here; in: accepted here; PID is the socket's process (a listener's
 * until it accepts).  refused: the other host said no; refusal: this host did.
 *
 *	TIME                     PID COMMAND         HOW      LOCAL            PORT REMOTE           PORT
 *	2023 Nov 14 22:13:20    4711 curl            out      192.0.2.1       40000 192.0.2.2          80
 */
#pragma D option quiet

BEGIN
{
	printf("%-20s %7s %-15s %-8s %-15s %5s %-15s %5s\n", "TIME", "PID", "COMMAND", "HOW", "LOCAL", "PORT",
	    "REMOTE", "PORT");
}

tcp:::connect-established, tcp:::accept-established, tcp:::connect-refused
{
	printf("%Y %7d %-15s %-8s %-15s %5d %-15s %5d\n", walltimestamp, args[1]->cs_pid, args[1]->cs_execname,
	    probename == "connect-established" ? "out" : probename == "accept-established" ? "in" : "refused",
	    args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport);
}

/* No socket: the reset that is sent tells who is who. */
tcp:::accept-refused
{
	printf("%Y %7s %-15s %-8s %-15s %5d %-15s %5d\n", walltimestamp, "-", "-", "refusal", args[2]->ip_saddr,
	    args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport);
}
