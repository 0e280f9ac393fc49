#!/usr/bin/env -S dtrace -s
/*
 * tcpconnlog.d - a line for every TCP connection that is opened, refused or given up.
 *
 * usage: dtrace tcpconnlog [wide] [-r CAPTURE]
 *
 * out: opened from here; in: accepted here; PID is the socket's process (a listener's
 * until it accepts).  refused: the other host said no; refusal: this host did.  gave up:
 * nobody answered, the network said that it cannot be reached, or the process would not
 * wait any longer; the line comes when that is so.  LPORT is this host's.
 * With the argument wide addresses of any length stand in the line, which is then longer than a terminal's.
 *
 *	TIME                     PID COMMAND         HOW     LPORT REMOTE           PORT
 *	2023 Nov 14 22:13:20    4711 curl            out     40000 192.0.2.2          80
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";
inline int ADDRESS = WIDE ? 39 : 15; /* columns of one */

/* In front of the remote address: a long one (IPv6) has a line of its own. */
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

/* No socket: the reset that is sent tells who is who. */
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
