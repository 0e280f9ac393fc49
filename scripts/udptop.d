#!/usr/bin/env -S dtrace -s
/*
 * udptop.d - every second, the sockets and remote hosts that exchanged most bytes over UDP.
 *
 * usage: udptop.d [-r CAPTURE] [HOW-MANY]
 *
 * Data only.  PORT after LOCAL is this host's, PORT after REMOTE the other's.
 *
 *	2023 Nov 14 22:13:21
 *	    PID COMMAND         LOCAL            PORT REMOTE           PORT WAY            BYTES
 *	    612 resolver        192.0.2.1        1000 192.0.2.2          53 send              42
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortrev

inline int N = $1 ? $1 : 10;

udp:::send, udp:::receive
{
	@bytes[args[1]->cs_pid, args[1]->cs_execname, args[3]->udps_laddr, args[3]->udps_lport,
	    args[3]->udps_raddr, args[3]->udps_rport, probename] = sum(args[4]->udp_length - 8);
}

tick-1s, END
{
	trunc(@bytes, N);
	printf("%Y\n%7s %-15s %-15s %5s %-15s %5s %-7s %12s\n", walltimestamp, "PID", "COMMAND", "LOCAL", "PORT",
	    "REMOTE", "PORT", "WAY", "BYTES");
	printa("%7d %-15s %-15s %5d %-15s %5d %-7s %@12d\n", @bytes);
	trunc(@bytes);
}
