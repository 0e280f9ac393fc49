#!/usr/bin/env -S dtrace -s
/*
 * tcpretrans.d - a line for every TCP segment that is sent again.
 *
 * usage: tcpretrans.d [-r CAPTURE]
 *
 * TIME is milliseconds since the start, LPORT this host's port.  SEQ counts from the
 * connection's first byte; of a SYN+ACK that is sent again only the addresses are known.
 * tcp:::retransmit is a probe of Linux.
 *
 *	  TIME(ms)     PID        SEQ  BYTES STATE        LPORT REMOTE           PORT
 *	      1000    4711          0      0 syn-sent     40000 192.0.2.2          80
 */
#pragma D option quiet

/* The names without "state-". */
inline string NAME[int s] =
	s == TCP_STATE_CLOSED ? "closed" : s == TCP_STATE_LISTEN ? "listen" :
	s == TCP_STATE_SYN_SENT ? "syn-sent" : s == TCP_STATE_SYN_RECEIVED ? "syn-received" :
	s == TCP_STATE_ESTABLISHED ? "established" : s == TCP_STATE_CLOSE_WAIT ? "close-wait" :
	s == TCP_STATE_FIN_WAIT_1 ? "fin-wait-1" : s == TCP_STATE_FIN_WAIT_2 ? "fin-wait-2" :
	s == TCP_STATE_CLOSING ? "closing" : s == TCP_STATE_LAST_ACK ? "last-ack" :
	s == TCP_STATE_TIME_WAIT ? "time-wait" : "unknown";

/* In front of the remote address: a long one (IPv6) has a line of its own. */
inline string NEXT = strlen(args[3]->tcps_raddr) > 15 ? "\n                                   " : " ";

BEGIN
{
	printf("%10s %7s %10s %6s %-12s %5s %-15s %5s\n", "TIME(ms)", "PID", "SEQ", "BYTES", "STATE", "LPORT",
	    "REMOTE", "PORT");
	start = timestamp;
}

tcp:::retransmit
/args[4]->tcp_hdr != NULL/
{
	printf("%10d %7d %10u %6d %-12s %5d%s%-15s %5d\n", (timestamp - start) / 1000000, args[1]->cs_pid,
	    args[4]->tcp_seq - args[3]->tcps_iss, args[2]->ip_plength - args[4]->tcp_offset,
	    NAME[args[3]->tcps_state], args[3]->tcps_lport, NEXT, args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::retransmit
/args[4]->tcp_hdr == NULL/
{
	printf("%10d %7d %10s %6s %-12s %5d%s%-15s %5d\n", (timestamp - start) / 1000000, args[1]->cs_pid, "-", "-",
	    NAME[args[3]->tcps_state], args[3]->tcps_lport, NEXT, args[3]->tcps_raddr, args[3]->tcps_rport);
}
