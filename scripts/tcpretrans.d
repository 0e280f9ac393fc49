#!/usr/bin/env -S dtrace -s
/*
 * tcpretrans.d - a line for every TCP segment that is retransmitted, and why.
 *
 * usage: dtrace tcpretrans [wide] [-r CAPTURE]
 *
 * Prints the number of segments by connection at the end. MS is milliseconds since the start.
 * LPORT is this host's port.
 *
 * WHY is one of these. syn, syn-ack: no answer came. timeout: the retransmission timer expired.
 * loss: the timer expired earlier, and TCP still considers the segment lost. fast: acknowledgements
 * show that data is missing. probe: the last segment, retransmitted before the timer expires.
 *
 * CWND and SSTHRESH are the congestion window and the slow start threshold in segments (-1: no
 * limit). They are 0 if unknown: in captures, and for a retransmitted SYN+ACK. RTT(us) is the
 * smoothed round trip time.
 *
 * SEGMENTS are those on the network, as TcpRetransSegs counts them. A packet that a device will cut
 * into several segments is one line. A long address (IPv6) begins a new line. With the
 * argument wide, a line is wider than 80 columns and also has the process's name, the sequence
 * number from the connection's first byte, the state and both addresses.
 *
 *	     MS     PID BYTES WHY      CWND SSTHRESH RTT(us) LPORT REMOTE           PORT
 *	   1000    4711  1448 fast       10        7   12345 40000 192.0.2.2          80
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";
inline int WRONG = $$1 != "" && !WIDE;

/* Returns the name of a state without the prefix "state-". */
inline string NAME[int s] =
	s == TCP_STATE_CLOSED ? "closed" : s == TCP_STATE_LISTEN ? "listen" :
	s == TCP_STATE_SYN_SENT ? "syn-sent" : s == TCP_STATE_SYN_RECEIVED ? "syn-received" :
	s == TCP_STATE_ESTABLISHED ? "established" : s == TCP_STATE_CLOSE_WAIT ? "close-wait" :
	s == TCP_STATE_FIN_WAIT_1 ? "fin-wait-1" : s == TCP_STATE_FIN_WAIT_2 ? "fin-wait-2" :
	s == TCP_STATE_CLOSING ? "closing" : s == TCP_STATE_LAST_ACK ? "last-ack" :
	s == TCP_STATE_TIME_WAIT ? "time-wait" : "unknown";

inline string WHY = tcp_retrans_string[args[3]->tcps_retransmit_kind];

/* The text before the remote address: a blank, or a new line if the address is long. */
inline string NEXT = !WIDE && strlen(args[3]->tcps_raddr) > 15 ? "\n                                  " : " ";

/*
 * For a retransmitted SYN+ACK, the addresses are known, but there is no header. In TIME_WAIT, the first
 * number is unknown.
 */
inline int SEQ = args[4]->tcp_hdr == NULL || args[3]->tcps_state == TCP_STATE_TIME_WAIT ? 0 :
    args[4]->tcp_seq - args[3]->tcps_iss;
inline int BYTES = args[4]->tcp_plength;

/* The congestion window and the slow start threshold in segments. */
inline int CWND = args[3]->tcps_mss == 0 ? 0 : args[3]->tcps_cwnd / args[3]->tcps_mss;
inline int SSTHRESH = args[3]->tcps_cwnd_ssthresh == 2147483647 ? -1 :
	args[3]->tcps_mss == 0 ? 0 : args[3]->tcps_cwnd_ssthresh / args[3]->tcps_mss;

BEGIN
/WRONG/
{
	printf("usage: dtrace tcpretrans [wide] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	start = timestamp;
}

BEGIN
/WIDE/
{
	printf("%7s %7s %-15s %10s %5s %-7s %-12s %5s %8s %7s %-39s %5s %-39s %5s\n", "MS", "PID", "COMMAND", "SEQ", "BYTES",
	    "WHY", "STATE", "CWND", "SSTHRESH", "RTT(us)", "LOCAL", "LPORT", "REMOTE", "PORT");
}

BEGIN
/!WIDE/
{
	printf("%7s %7s %5s %-7s %5s %8s %7s %5s %-15s %5s\n", "MS", "PID", "BYTES", "WHY", "CWND", "SSTHRESH", "RTT(us)",
	    "LPORT", "REMOTE", "PORT");
}

tcp:::retransmit
/WIDE/
{
	this->time_ms = (timestamp - start) / 1000000;
	printf("%7d %7d %-15S %10u %5d %-7s %-12s %5d %8d %7d %-39s %5d %-39s %5d\n", this->time_ms,
	    args[1]->cs_pid, args[1]->cs_execname, (uint32_t)SEQ, BYTES, WHY, NAME[args[3]->tcps_state], CWND, SSTHRESH,
	    args[3]->tcps_rtt_us, args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::retransmit
/!WIDE/
{
	this->time_ms = (timestamp - start) / 1000000;
	printf("%7d %7d %5d %-7s %5d %8d %7d %5d%s%-15s %5d\n", this->time_ms, args[1]->cs_pid, BYTES, WHY,
	    CWND, SSTHRESH, args[3]->tcps_rtt_us, args[3]->tcps_lport, NEXT, args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::retransmit
{
	@segments[args[1]->cs_pid, args[1]->cs_execname, args[3]->tcps_lport, NEXT, args[3]->tcps_raddr, args[3]->tcps_rport] =
	    sum(args[4]->tcp_segments);
	@bytes[args[1]->cs_pid, args[1]->cs_execname, args[3]->tcps_lport, NEXT, args[3]->tcps_raddr, args[3]->tcps_rport] =
	    sum(BYTES);
}

END
/WIDE/
{
	printf("\n%8s %9s %7s %-15s %5s %-39s %5s\n", "SEGMENTS", "BYTES", "PID", "COMMAND", "LPORT", "REMOTE", "PORT");
	printa("%@8d %@9d %7d %-15S %5d%s%-39s %5d\n", @segments, @bytes);
}

END
/!WIDE && !WRONG/
{
	printf("\n%8s %9s %7s %-15s %5s %-15s %5s\n", "SEGMENTS", "BYTES", "PID", "COMMAND", "LPORT", "REMOTE", "PORT");
	printa("%@8d %@9d %7d %-15S %5d%s%-15s %5d\n", @segments, @bytes);
}
