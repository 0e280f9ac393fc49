#!/usr/bin/env -S dtrace -s
/*
 * tcpaccept.d - a line for every TCP connection that is established from elsewhere.
 *
 * usage: dtrace tcpaccept [wide] [-r CAPTURE]
 *
 * PID is the process that listens: it may leave the connection to another.  A long address (IPv6) has a line
 * of its own, from the remote one on.
 * With the argument wide addresses of any length stand in the line, which is then longer than a terminal's.
 *
 *	    PID COMMAND         IP REMOTE           RPORT LOCAL            LPORT
 *	    981 sshd             4 198.51.100.7     50000 192.0.2.2           22
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";
inline int ADDRESS = WIDE ? 39 : 15; /* columns of one */

/* In front of either address. */
inline string NEXT = !WIDE && (strlen(args[3]->tcps_laddr) > 15 || strlen(args[3]->tcps_raddr) > 15) ?
	"\n                           " : " ";

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace tcpaccept [wide] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%7s %-15s %2s %-*s %6s %-*s %6s\n", "PID", "COMMAND", "IP", ADDRESS, "REMOTE", "RPORT",
	    ADDRESS, "LOCAL", "LPORT");
}

tcp:::accept-established
{
	printf("%7d %-15S %2d%s%-*s %6d%s%-*s %6d\n", args[1]->cs_pid, args[1]->cs_execname, args[2]->ip_ver,
	    NEXT, ADDRESS, args[3]->tcps_raddr, args[3]->tcps_rport, NEXT, ADDRESS, args[3]->tcps_laddr,
	    args[3]->tcps_lport);
}
