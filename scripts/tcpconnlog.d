#!/usr/bin/env -S dtrace -s
/*
 * tcpconnlog.d - a line for every TCP connection that is opened, refused or given up.
 *
 * usage: dtrace tcpconnlog [wide] [-r CAPTURE]
 *
 * HOW is one of these. out: this host opened it. in: this host accepted it. refused: the other host
 * refused it. refusal: this host refused it. gave up: nobody answered, the network could not reach
 * the host, or the process stopped waiting. A line with "gave up" is printed when the attempt ends.
 *
 * PID is the process that owns the socket, or, if no process has accepted the connection yet, the
 * listening process. LPORT is this host's port. A long address (IPv6) begins a new line. With the
 * argument wide, long addresses stay in the line, which is then wider than 80 columns.
 *
 *	TIME                     PID COMMAND         HOW     LPORT REMOTE           PORT
 *	2023 Nov 14 22:13:20    4711 curl            out     40000 192.0.2.2          80
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";
inline int ADDRESS = WIDE ? 39 : 15; /* width of the column for an address */

/* The text before the remote address: a blank, or a new line if the address is long. */
inline string NEXT = !WIDE && strlen(args[3]->tcps_raddr) > 15 ? "\n                                  " : " ";

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace tcpconnlog [wide] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%-20s %7s %-15s %-7s %5s %-*s %5s\n", "TIME", "PID", "COMMAND", "HOW", "LPORT", ADDRESS,
	    "REMOTE", "PORT");
}

tcp:::connect-established, tcp:::accept-established, tcp:::connect-refused
{
	printf("%Y %7d %-15S %-7s %5d%s%-*s %5d\n", walltimestamp, args[1]->cs_pid, args[1]->cs_execname,
	    probename == "connect-established" ? "out" : probename == "accept-established" ? "in" : "refused",
	    args[3]->tcps_lport, NEXT, ADDRESS, args[3]->tcps_raddr, args[3]->tcps_rport);
}

/* There is no socket.  Addresses and ports come from the reset that this host sends. */
tcp:::accept-refused
{
	printf("%Y %7s %-15s %-7s %5d%s%-*s %5d\n", walltimestamp, "-", "-", "refusal", args[4]->tcp_sport,
	    !WIDE && strlen(args[2]->ip_daddr) > 15 ? "\n                                  " : " ", ADDRESS,
	    args[2]->ip_daddr, args[4]->tcp_dport);
}

tcp:::connect-refused
{
	refused[args[1]->cs_cid] = 1;
}

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_SENT && args[3]->tcps_state == TCP_STATE_CLOSED &&
 !refused[args[1]->cs_cid]/
{
	printf("%Y %7d %-15S %-7s %5d%s%-*s %5d\n", walltimestamp, args[1]->cs_pid, args[1]->cs_execname,
	    "gave up", args[3]->tcps_lport, NEXT, ADDRESS, args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED/
{
	refused[args[1]->cs_cid] = 0;
}
