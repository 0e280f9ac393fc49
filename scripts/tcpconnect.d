#!/usr/bin/env -S dtrace -s
/*
 * tcpconnect.d - a line for every TCP connection that this host tries to open.
 *
 * usage: dtrace tcpconnect [wide] [-r CAPTURE]
 *
 * The line comes when the first SYN is sent, whatever the outcome is. For the outcome see
 * tcpconnlat and tcpconnlog. With a long address (IPv6), each address begins a new line. With
 * the argument wide, long addresses stay in the line, which is then wider than 80 columns.
 *
 *	    PID COMMAND         IP LOCAL            LPORT REMOTE           RPORT
 *	   4711 curl             4 192.0.2.1        40000 192.0.2.2           80
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";
inline int ADDRESS = WIDE ? 39 : 15; /* width of the column for an address */

/* The text before each of the two addresses: a blank, or a new line if an address is long. */
inline string NEXT = !WIDE && (strlen(args[3]->tcps_laddr) > 15 || strlen(args[3]->tcps_raddr) > 15) ?
	"\n                           " : " ";

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace tcpconnect [wide] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%7s %-15s %2s %-*s %6s %-*s %6s\n", "PID", "COMMAND", "IP", ADDRESS, "LOCAL", "LPORT",
	    ADDRESS, "REMOTE", "RPORT");
}

tcp:::connect-request
{
	printf("%7d %-15S %2d%s%-*s %6d%s%-*s %6d\n", args[1]->cs_pid, args[1]->cs_execname, args[2]->ip_ver,
	    NEXT, ADDRESS, args[3]->tcps_laddr, args[3]->tcps_lport, NEXT, ADDRESS, args[3]->tcps_raddr,
	    args[3]->tcps_rport);
}
