#!/usr/bin/env -S dtrace -s
/*
 * tcpsnoop.d - a line for every TCP segment that is sent or received.
 *
 * usage: dtrace tcpsnoop [wide] [-r CAPTURE]
 *
 * TIME is microseconds since the start. BYTES counts data only. PID is the process that owns the
 * socket (-1: none, or unknown). FLAGS: S SYN, A ACK, F FIN, R RST, P PUSH, U URG, E ECE, C CWR,
 * - none. A packet that a device will cut into segments, or that GRO has merged, is one line. On
 * several CPUs at once, lines can change places.
 *
 * With a long address (IPv6), the remote address begins a new line. With the argument wide, long
 * addresses stay in the line, which is then wider than 80 columns.
 *
 *	  TIME(us)     PID  BYTES FLAGS  LOCAL            PORT    REMOTE           PORT
 *	      1000    4711      0 SA     192.0.2.1       40000 <- 192.0.2.2          80
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";
inline int ADDRESS = WIDE ? 39 : 15; /* width of the column for an address */

/* The text before the remote address: a blank, or a new line if the address is long. */
inline string NEXT = !WIDE && (strlen(args[3]->tcps_laddr) > 15 || strlen(args[3]->tcps_raddr) > 15) ?
	"\n                              " : " ";

inline uint8_t F = args[4]->tcp_flags;
inline string FLAGS = F == 0 ? "-" : strjoin(strjoin(strjoin(F & TH_SYN ? "S" : "", F & TH_ACK ? "A" : ""),
	strjoin(F & TH_FIN ? "F" : "", F & TH_RST ? "R" : "")), strjoin(strjoin(F & TH_PUSH ? "P" : "",
	F & TH_URG ? "U" : ""), strjoin(F & TH_ECE ? "E" : "", F & TH_CWR ? "C" : "")));

this string flags, direction;

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace tcpsnoop [wide] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%10s %7s %6s %-6s %-*s %5s    %-*s %5s\n", "TIME(us)", "PID", "BYTES", "FLAGS", ADDRESS,
	    "LOCAL", "PORT", ADDRESS, "REMOTE", "PORT");
	start = timestamp;
}

tcp:::send, tcp:::receive
{
	this->time_us = (timestamp - start) / 1000;
	this->bytes = args[4]->tcp_plength;
	this->flags = FLAGS;
	this->direction = probename == "send" ? "->" : "<-";
	printf("%10d %7d %6d %-6s %-*s %5d%s%s %-*s %5d\n", this->time_us, args[1]->cs_pid, this->bytes, this->flags, ADDRESS,
	    args[3]->tcps_laddr, args[3]->tcps_lport, NEXT, this->direction, ADDRESS, args[3]->tcps_raddr,
	    args[3]->tcps_rport);
}
