#!/usr/bin/env -S dtrace -s
/*
 * tcpreset.d - a line for every TCP reset that this host sends, or that ends a connection here.
 *
 * usage: dtrace tcpreset [wide] [-r CAPTURE]
 *
 * -> means sent, <- means received. TIME is milliseconds since the start. STATE is the socket's state,
 * or closed if there is no socket. LPORT is this host's port. A long address (IPv6) begins a new
 * line. With the argument wide, long addresses stay in the line, which is then wider than 80
 * columns.
 *
 *	TIME(ms)     PID COMMAND         STATE        LPORT    REMOTE           PORT
 *	1000        4711 curl            syn-sent     40000 <- 192.0.2.2          81
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";
inline int ADDRESS = WIDE ? 39 : 15; /* width of the column for an address */

/* Returns the name of a state without the prefix "state-". */
inline string NAME[int s] =
	s == TCP_STATE_CLOSED ? "closed" : s == TCP_STATE_LISTEN ? "listen" :
	s == TCP_STATE_SYN_SENT ? "syn-sent" : s == TCP_STATE_SYN_RECEIVED ? "syn-received" :
	s == TCP_STATE_ESTABLISHED ? "established" : s == TCP_STATE_CLOSE_WAIT ? "close-wait" :
	s == TCP_STATE_FIN_WAIT_1 ? "fin-wait-1" : s == TCP_STATE_FIN_WAIT_2 ? "fin-wait-2" :
	s == TCP_STATE_CLOSING ? "closing" : s == TCP_STATE_LAST_ACK ? "last-ack" :
	s == TCP_STATE_TIME_WAIT ? "time-wait" : "unknown";

/* The text before the remote address: a blank, or a new line if the address is long. */
inline string NEXT = !WIDE && strlen(args[3]->tcps_raddr) > 15 ? "\n                                   " : " ";

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace tcpreset [wide] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	start = timestamp;
	printf("%-8s %7s %-15s %-12s %5s    %-*s %5s\n", "TIME(ms)", "PID", "COMMAND", "STATE", "LPORT",
	    ADDRESS, "REMOTE", "PORT");
}

tcp:::reset-sent
{
	this->time_ms = (timestamp - start) / 1000000;
	printf("%-8d %7d %-15S %-12s %5d ->%s%-*s %5d\n", this->time_ms, args[1]->cs_pid,
	    args[1]->cs_execname, NAME[args[3]->tcps_state], args[3]->tcps_lport, NEXT, ADDRESS,
	    args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::reset-received
{
	this->time_ms = (timestamp - start) / 1000000;
	printf("%-8d %7d %-15S %-12s %5d <-%s%-*s %5d\n", this->time_ms, args[1]->cs_pid,
	    args[1]->cs_execname, NAME[args[3]->tcps_state], args[3]->tcps_lport, NEXT, ADDRESS,
	    args[3]->tcps_raddr, args[3]->tcps_rport);
}
