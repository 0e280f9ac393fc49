#!/usr/bin/env -S dtrace -s
/*
 * tcptracer.d - a line when a TCP connection of this host is opened, is accepted, or ends.
 *
 * usage: dtrace tcptracer [wide] [-r CAPTURE]
 *
 * T says what happened to the connection: C this host opened it, A this host accepted it, R its
 * socket was restored (TCP_REPAIR, as CRIU uses it), X it ended. A connection by Fast Open whose
 * handshake never ends has its line A when it ends. With a long address (IPv6), each address begins a new line. With the argument wide, long
 * addresses stay in the line, which is then wider than 80 columns.
 *
 *	T     PID COMMAND         IP LOCAL            LPORT REMOTE           RPORT
 *	C    4711 curl             4 192.0.2.1        40000 192.0.2.2           80
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";
inline int ADDRESS = WIDE ? 39 : 15; /* width of the column for an address */

/* The text before each of the two addresses: a blank, or a new line if an address is long. */
inline string NEXT = !WIDE && (strlen(args[3]->tcps_laddr) > 15 || strlen(args[3]->tcps_raddr) > 15) ?
	"\n                             " : " ";

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace tcptracer [wide] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%1s %7s %-15s %2s %-*s %6s %-*s %6s\n", "T", "PID", "COMMAND", "IP", ADDRESS, "LOCAL",
	    "LPORT", ADDRESS, "REMOTE", "RPORT");
}

tcp:::connect-established, tcp:::accept-established
{
	this->event = probename == "accept-established" ? "A" : args[4]->tcp_hdr != NULL ? "C" : "R";
	printf("%1s %7d %-15S %2d%s%-*s %6d%s%-*s %6d\n", this->event,
	    args[1]->cs_pid, args[1]->cs_execname, args[2]->ip_ver, NEXT, ADDRESS, args[3]->tcps_laddr,
	    args[3]->tcps_lport, NEXT, ADDRESS, args[3]->tcps_raddr, args[3]->tcps_rport);
	version[args[1]->cs_cid] = args[2]->ip_ver;
}

/* Fast Open: the process closed the connection, or the connection carried data, before the handshake ended. */
inline int CARRIED = args[3]->tcps_bytes_received != 0 || args[3]->tcps_bytes_acked != 0 ||
	args[3]->tcps_snxt != args[3]->tcps_suna;

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_RECEIVED && args[3]->tcps_state != TCP_STATE_ESTABLISHED &&
 (args[3]->tcps_state != TCP_STATE_CLOSED || CARRIED) && !args[3]->tcps_active/
{
	version[args[1]->cs_cid] = strchr(args[3]->tcps_raddr, ':') == 0 ? 4 : 6;
	printf("%1s %7d %-15S %2d%s%-*s %6d%s%-*s %6d\n", "A", args[1]->cs_pid, args[1]->cs_execname,
	    version[args[1]->cs_cid], NEXT, ADDRESS, args[3]->tcps_laddr, args[3]->tcps_lport, NEXT, ADDRESS,
	    args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::state-change
/version[args[1]->cs_cid] != 0 &&
 (args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT)/
{
	this->event = "X";
	printf("%1s %7d %-15S %2d%s%-*s %6d%s%-*s %6d\n", this->event, args[1]->cs_pid, args[1]->cs_execname,
	    version[args[1]->cs_cid], NEXT, ADDRESS, args[3]->tcps_laddr, args[3]->tcps_lport, NEXT, ADDRESS,
	    args[3]->tcps_raddr, args[3]->tcps_rport);
	version[args[1]->cs_cid] = 0;
}
