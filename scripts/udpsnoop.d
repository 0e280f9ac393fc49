#!/usr/bin/env -S dtrace -s
/*
 * udpsnoop.d - a line for every UDP datagram that is sent, reaches its socket, or is refused by it.
 *
 * usage: dtrace udpsnoop [wide] [-r CAPTURE]
 *
 * TIME is milliseconds since the start. BYTES counts data only. LPORT is this host's port. -> means
 * sent. <- means that the datagram has reached its socket. If the socket then refuses the datagram
 * (buffer full, filter), a line with x- follows (live only). With UDP_SEGMENT and UDP_GRO, all
 * datagrams of a call are one line. A long address (IPv6) begins a new line. With the argument wide, long
 * addresses stay in the line, which is then wider than 80 columns.
 *
 *	TIME(ms)     PID COMMAND          BYTES LPORT    REMOTE           PORT
 *	1000         612 resolver            42 40000 -> 192.0.2.2          53
 */
#pragma D option quiet
#pragma D option defaultargs
/* A capture has no drops. */
#pragma D option zdefs
#pragma D option noskips

inline int WIDE = $$1 == "wide";
inline int BYTES = args[4]->udp_length > 8 ? args[4]->udp_length - 8 : 0; /* 0 without a header */
inline int ADDRESS = WIDE ? 39 : 15; /* width of the column for an address */

/* The text before the remote address: a blank, or a new line if the address is long. */
inline string NEXT = !WIDE && strlen(args[3]->udps_raddr) > 15 ? "\n                               " : " ";

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace udpsnoop [wide] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	start = timestamp;
	printf("%-8s %7s %-15s %6s %5s    %-*s %5s\n", "TIME(ms)", "PID", "COMMAND", "BYTES", "LPORT",
	    ADDRESS, "REMOTE", "PORT");
}

/* A drop has a socket if udp:::receive has just fired for the datagram. */
udp:::send, udp:::receive, udp:::drop
/probename != "drop" || args[1]->cs_addr != 0/
{
	this->direction = probename == "send" ? "->" : probename == "drop" ? "x-" : "<-";
	this->time_ms = (timestamp - start) / 1000000;
	printf("%-8d %7d %-15S %6d %5d %s%s%-*s %5d\n", this->time_ms, args[1]->cs_pid,
	    args[1]->cs_execname, BYTES, args[3]->udps_lport,
	    this->direction, NEXT, ADDRESS, args[3]->udps_raddr, args[3]->udps_rport);
}
