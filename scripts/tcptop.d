#!/usr/bin/env -S dtrace -s
/*
 * tcptop.d - every second, the TCP connections that carried most data.
 *
 * usage: tcptop.d [-r CAPTURE] [HOW-MANY]
 *
 *	2023 Nov 14 22:13:21
 *	    PID COMMAND         LOCAL            PORT REMOTE           PORT WAY            BYTES
 *	   4711 curl            192.0.2.1       40000 192.0.2.2          80 receive         1000
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortrev

inline int N = $1 ? $1 : 10;

tcp:::send, tcp:::receive
/args[2]->ip_plength > args[4]->tcp_offset/
{
	@bytes[args[1]->cs_pid, args[1]->cs_execname, args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport, probename] =
	    sum(args[2]->ip_plength - args[4]->tcp_offset);
}

tick-1s, END
{
	trunc(@bytes, N);
	printf("%Y\n%7s %-15s %-15s %5s %-15s %5s %-7s %12s\n", walltimestamp, "PID", "COMMAND", "LOCAL", "PORT",
	    "REMOTE", "PORT", "WAY", "BYTES");
	printa("%7d %-15s %-15s %5d %-15s %5d %-7s %@12d\n", @bytes);
	trunc(@bytes);
}
