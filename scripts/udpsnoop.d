#!/usr/bin/env -S dtrace -s
/*
 * udpsnoop.d - a line for every UDP datagram that is sent or received.
 *
 * usage: dtrace udpsnoop [wide] [-r CAPTURE]
 *
 * TIME is milliseconds since the start. BYTES counts data only. LPORT is this host's port. -> means
 * sent, <- means received. A long address (IPv6) begins a new line. With the argument wide, long
 * addresses stay in the line, which is then wider than 80 columns.
 *
 *	TIME(ms)     PID COMMAND          BYTES LPORT    REMOTE           PORT
 *	1000         612 resolver            42 40000 -> 192.0.2.2          53
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";
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

udp:::send, udp:::receive
{
	this->direction = probename == "send" ? "->" : "<-";
	this->ms = (timestamp - start) / 1000000;
	printf("%-8d %7d %-15S %6d %5d %s%s%-*s %5d\n", this->ms, args[1]->cs_pid,
	    args[1]->cs_execname, args[4]->udp_length - 8, args[3]->udps_lport,
	    this->direction, NEXT, ADDRESS, args[3]->udps_raddr, args[3]->udps_rport);
}
