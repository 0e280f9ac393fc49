#!/usr/bin/env -S dtrace -s
/*
 * solisten.d - a line for every TCP socket that starts to listen.
 *
 * usage: dtrace solisten [wide]
 *
 * BACKLOG is the number of connections that may wait to be accepted. NETNS is the network
 * namespace. A long address (IPv6) begins a new line. With the argument wide, a line is wider
 * than 80 columns and also has the user, the container and the namespace's name.
 *
 * Live only.
 *
 *	    PID COMMAND              NETNS BACKLOG PORT  ADDRESS
 *	    981 sshd            4026531840     128 22    0.0.0.0
 */
#pragma D option quiet
#pragma D option live
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";

/* The text before the address: a blank, or a new line if the address is long. */
inline string NEXT = strlen(args[3]->tcps_laddr) > 31 ? "\n                                    " : " ";

inline int BACKLOG = ((struct sock *)args[3]->tcps_addr)->sk_max_ack_backlog;

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace solisten [wide]\n");
	exit(1);
}

BEGIN
/WIDE/
{
	printf("%7s %-15s %-12s %-12s %-15s %7s %-5s %s\n", "PID", "COMMAND", "USER", "CONTAINER", "NETNS", "BACKLOG", "PORT",
	    "ADDRESS");
}

BEGIN
/!WIDE/
{
	printf("%7s %-15s %10s %7s %-5s %s\n", "PID", "COMMAND", "NETNS", "BACKLOG", "PORT", "ADDRESS");
}

tcp:::state-change
/WIDE && args[3]->tcps_state == TCP_STATE_LISTEN/
{
	printf("%7d %-15S %-12S %-12S %-15S %7d %-5d %s\n", args[1]->cs_pid, args[1]->cs_execname, args[1]->cs_user,
	    args[1]->cs_container, args[1]->cs_netns_name, BACKLOG, args[3]->tcps_lport, args[3]->tcps_laddr);
}

tcp:::state-change
/!WIDE && args[3]->tcps_state == TCP_STATE_LISTEN/
{
	printf("%7d %-15S %10d %7d %-5d%s%s\n", args[1]->cs_pid, args[1]->cs_execname, args[1]->cs_netns, BACKLOG,
	    args[3]->tcps_lport, NEXT, args[3]->tcps_laddr);
}
