#!/usr/bin/env -S dtrace -s
/*
 * udpdrop.d - a line for every UDP datagram that the kernel drops, and why.
 *
 * usage: dtrace udpdrop [wide]
 *
 * Prints the number of datagrams for each reason at the end. REASON is the kernel's own name.
 * PID is the process that owns the socket, if the datagram reached it and the socket refuses it
 * (buffer full, filter, no memory); else -1. A long address (IPv6) begins a new line. With the
 * argument wide, long addresses stay in the line, which is then wider than 80 columns and also has
 * the firewall's table and chain that dropped the datagram (- if no firewall did).
 *
 * Live only.
 *
 *	    PID COMMAND         LPORT REMOTE           PORT REASON
 *	    612 resolver           53 198.51.100.7    40000 SOCKET_RCVBUFF
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live

inline int WIDE = $$1 == "wide";
inline int WRONG = $$1 != "" && !WIDE;
inline string FIREWALL = args[5]->drop_table == "-" || args[5]->drop_table == "<unknown>" ? args[5]->drop_table :
	strjoin(args[5]->drop_table, strjoin("/", args[5]->drop_chain));

/* The text before the remote address: a blank, or a new line if the address is long. */
inline string NEXT = strlen(args[3]->udps_raddr) > 15 ? "\n          " : " ";

BEGIN
/WRONG/
{
	printf("usage: dtrace udpdrop [wide]\n");
	exit(1);
}

BEGIN
/!WIDE/
{
	printf("%7s %-15s %5s %-15s %5s %s\n", "PID", "COMMAND", "LPORT", "REMOTE", "PORT", "REASON");
}

BEGIN
/WIDE/
{
	printf("%7s %-15s %5s %-39s %5s %-24s %s\n", "PID", "COMMAND", "LPORT", "REMOTE", "PORT", "TABLE/CHAIN", "REASON");
}

udp:::drop
/!WIDE/
{
	printf("%7d %-15S %5d%s%-15s %5d %s\n", args[1]->cs_pid, args[1]->cs_execname, args[3]->udps_lport,
	    NEXT, args[3]->udps_raddr, args[3]->udps_rport, args[5]->drop_reason);
}

udp:::drop
/WIDE/
{
	printf("%7d %-15S %5d %-39s %5d %-24S %s\n", args[1]->cs_pid, args[1]->cs_execname, args[3]->udps_lport,
	    args[3]->udps_raddr, args[3]->udps_rport, FIREWALL, args[5]->drop_reason);
}

udp:::drop
{
	@reasons[args[5]->drop_reason] = count();
}

END
/!WRONG/
{
	printf("\n%-40s %10s\n", "REASON", "DATAGRAMS");
	printa("%-40s %@10d\n", @reasons);
}
