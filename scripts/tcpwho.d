#!/usr/bin/env -S dtrace -s
/*
 * tcpwho.d - the TCP sockets that are open now, and their owners.
 *
 * usage: dtrace tcpwho [wide]
 *
 * With a long address (IPv6), each address begins a new line. With the argument wide, long
 * addresses stay in the line, which is then wider than 80 columns.
 *
 * Live only.
 *
 *	    PID COMMAND         STATE        LOCAL            PORT REMOTE           PORT
 *	    981 sshd            established  192.0.2.2          22 198.51.100.7    50000
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live

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

/* The text before each of the two addresses: a blank, or a new line if an address is long. */
inline string NEXT = !WIDE && (strlen(args[3]->tcps_laddr) > 15 || strlen(args[3]->tcps_raddr) > 15) ?
	"\n                                   " : " ";

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace tcpwho [wide]\n");
	exit(1);
}

BEGIN
{
	last = timestamp;
	printf("%7s %-15s %-12s %-*s %5s %-*s %5s\n", "PID", "COMMAND", "STATE", ADDRESS, "LOCAL", "PORT",
	    ADDRESS, "REMOTE", "PORT");
}

tcp:::existing
{
	printf("%7d %-15S %-12s%s%-*s %5d%s%-*s %5d\n", args[1]->cs_pid, args[1]->cs_execname,
	    NAME[args[3]->tcps_state], NEXT, ADDRESS, args[3]->tcps_laddr, args[3]->tcps_lport, NEXT,
	    ADDRESS, args[3]->tcps_raddr, args[3]->tcps_rport);
	last = timestamp;
}

/* No socket was reported for 100 ms, so all have been reported. */
tick-100ms
/timestamp - last > 100000000/
{
	exit(0);
}
