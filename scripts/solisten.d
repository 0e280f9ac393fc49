#!/usr/bin/env -S dtrace -s
/*
 * solisten.d - a line for every TCP socket that begins to listen.
 *
 * usage: solisten.d
 *
 * BACKLOG is how many connections may wait to be accepted, NETNS the network namespace.  Live only: a
 * capture shows no listen(2).
 *
 *	    PID COMMAND              NETNS BACKLOG PORT  ADDRESS
 *	    981 sshd            4026531840     128 22    0.0.0.0
 */
#pragma D option quiet
#pragma D option live

BEGIN
{
	printf("%7s %-15s %10s %7s %-5s %s\n", "PID", "COMMAND", "NETNS", "BACKLOG", "PORT", "ADDRESS");
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_LISTEN/
{
	printf("%7d %-15S %10d %7d %-5d %s\n", args[1]->cs_pid, args[1]->cs_execname, args[1]->cs_netns,
	    ((struct sock *)args[3]->tcps_addr)->sk_max_ack_backlog, args[3]->tcps_lport, args[3]->tcps_laddr);
}
