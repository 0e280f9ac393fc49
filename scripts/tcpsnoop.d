#!/usr/bin/env -S dtrace -s
/*
 * tcpsnoop.d - a line for every TCP segment that is sent or received.
 *
 * usage: tcpsnoop.d [-r CAPTURE]
 *
 * TIME is microseconds since the start, BYTES the data's, PID the process whose socket
 * it is (-1: none, or not known).  FLAGS: S SYN, A ACK, F FIN, R RST, P PUSH, U URG, E ECE, C CWR.
 * On several CPUs at once lines can change places.
 *
 *	  TIME(us)     PID LOCAL            PORT    REMOTE           PORT  BYTES FLAGS
 *	      1000    4711 192.0.2.1       40000 <- 192.0.2.2          80      0 SA
 */
#pragma D option quiet

inline uint8_t F = args[4]->tcp_flags;

BEGIN
{
	printf("%10s %7s %-15s %5s    %-15s %5s %6s %s\n", "TIME(us)", "PID", "LOCAL", "PORT", "REMOTE", "PORT",
	    "BYTES", "FLAGS");
	start = timestamp;
}

tcp:::send, tcp:::receive
{
	printf("%10d %7d %-15s %5d %s %-15s %5d %6d %s%s%s%s%s%s%s%s\n", (timestamp - start) / 1000,
	    args[1]->cs_pid, args[3]->tcps_laddr, args[3]->tcps_lport, probename == "send" ? "->" : "<-",
	    args[3]->tcps_raddr, args[3]->tcps_rport, args[2]->ip_plength - args[4]->tcp_offset,
	    F & TH_SYN ? "S" : "", F & TH_ACK ? "A" : "", F & TH_FIN ? "F" : "", F & TH_RST ? "R" : "",
	    F & TH_PUSH ? "P" : "", F & TH_URG ? "U" : "", F & TH_ECE ? "E" : "", F & TH_CWR ? "C" : "");
}
