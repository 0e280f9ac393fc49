#!/usr/bin/env -S dtrace -s
/*
 * tcpaccept.d - a line for every TCP connection that another host opens to this one.
 *
 * usage: dtrace tcpaccept [wide] [-r CAPTURE]
 *
 * A connection by Fast Open whose handshake never ends has its line when it ends.
 *
 * PID is the process that listens; another process may handle the connection. With a long
 * address (IPv6), each address begins a new line. With the argument wide, long addresses stay in
 * the line, which is then wider than 80 columns.
 *
 *	    PID COMMAND         IP REMOTE           RPORT LOCAL            LPORT
 *	    981 sshd             4 198.51.100.7     50000 192.0.2.2           22
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

/* Fast Open: the process closed the connection, or the connection carried data, before the handshake ended. */
inline int CARRIED = args[3]->tcps_bytes_received != 0 || args[3]->tcps_bytes_acked != 0 ||
	args[3]->tcps_snxt != args[3]->tcps_suna;

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_RECEIVED && args[3]->tcps_state != TCP_STATE_ESTABLISHED &&
 (args[3]->tcps_state != TCP_STATE_CLOSED || CARRIED) && !args[3]->tcps_active/
{
	this->ip_ver = strchr(args[3]->tcps_raddr, ':') == 0 ? 4 : 6;
	printf("%7d %-15S %2d%s%-*s %6d%s%-*s %6d\n", args[1]->cs_pid, args[1]->cs_execname,
	    this->ip_ver, NEXT, ADDRESS, args[3]->tcps_raddr, args[3]->tcps_rport, NEXT,
	    ADDRESS, args[3]->tcps_laddr, args[3]->tcps_lport);
}
