#!/usr/bin/env -S dtrace -s
/*
 * tcpwho.d - the TCP sockets that are open now, and whose they are.
 *
 * usage: tcpwho.d
 *
 * Live only: tcp:::existing, a probe of Linux, tells each socket once when tracing starts.
 *
 *	    PID COMMAND         LOCAL            PORT REMOTE           PORT STATE
 *	    981 sshd            192.0.2.2          22 198.51.100.7    50000 state-established
 */
#pragma D option quiet

BEGIN
{
	last = timestamp;
	printf("%7s %-15s %-15s %5s %-15s %5s %s\n", "PID", "COMMAND", "LOCAL", "PORT", "REMOTE", "PORT", "STATE");
}

tcp:::existing
{
	printf("%7d %-15s %-15s %5d %-15s %5d %s\n", args[1]->cs_pid, args[1]->cs_execname,
	    args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport,
	    tcp_state_string[args[3]->tcps_state]);
	last = timestamp;
}

/* No more come. */
tick-100ms
/timestamp - last > 100000000/
{
	exit(0);
}
