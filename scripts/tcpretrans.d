#!/usr/bin/env -S dtrace -s
/*
 * tcpretrans.d - a line for every TCP segment that is sent again.
 *
 * usage: tcpretrans.d [-r CAPTURE]
 *
 * MS is milliseconds since the start, LPORT this host's port.  SEQ counts from the
 * connection's first byte; of a SYN+ACK that is sent again only the addresses are known.
 * WHY: syn, syn-ack: nobody answers; timeout: the timer ran out; loss: what is taken for lost since then;
 * fast: acknowledgements leave it out; probe: the last of all, before the timer runs out.
 * tcp:::retransmit is a probe of Linux.
 *
 *	     MS     PID       SEQ BYTES WHY     STATE        LPORT REMOTE           PORT
 *	   1000    4711         0     0 syn     syn-sent     40000 192.0.2.2          80
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

inline string WHY = tcp_retrans_string[args[3]->tcps_retransmit_kind];

/* In front of the remote address: a long one (IPv6) has a line of its own. */
inline string NEXT = strlen(args[3]->tcps_raddr) > 15 ? "\n                                  " : " ";

BEGIN
{
	printf("%7s %7s %9s %5s %-7s %-12s %5s %-15s %5s\n", "MS", "PID", "SEQ", "BYTES", "WHY", "STATE", "LPORT",
	    "REMOTE", "PORT");
	start = timestamp;
}

tcp:::retransmit
/args[4]->tcp_hdr != NULL/
{
	printf("%7d %7d %9u %5d %-7s %-12s %5d%s%-15s %5d\n", (timestamp - start) / 1000000, args[1]->cs_pid,
	    args[4]->tcp_seq - args[3]->tcps_iss, args[2]->ip_plength - args[4]->tcp_offset,
	    WHY, NAME[args[3]->tcps_state], args[3]->tcps_lport, NEXT, args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::retransmit
/args[4]->tcp_hdr == NULL/
{
	printf("%7d %7d %9s %5s %-7s %-12s %5d%s%-15s %5d\n", (timestamp - start) / 1000000, args[1]->cs_pid, "-", "-", WHY,
	    NAME[args[3]->tcps_state], args[3]->tcps_lport, NEXT, args[3]->tcps_raddr, args[3]->tcps_rport);
}
