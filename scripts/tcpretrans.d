#!/usr/bin/env -S dtrace -s
/*
 * tcpretrans.d - a line for every TCP segment that is sent again.
 *
 * usage: tcpretrans.d [-r CAPTURE]
 *
 * SEQ counts from the connection's first byte; of a SYN+ACK that is sent again only the
 * addresses are known.  tcp:::retransmit is a probe of Linux.
 *
 *	TIME                     PID LOCAL            PORT REMOTE           PORT        SEQ  BYTES STATE
 *	2023 Nov 14 22:13:20    4711 192.0.2.1       40000 192.0.2.2          80          0      0 state-syn-sent
 */
#pragma D option quiet

BEGIN
{
	printf("%-20s %7s %-15s %5s %-15s %5s %10s %6s %s\n", "TIME", "PID", "LOCAL", "PORT", "REMOTE", "PORT",
	    "SEQ", "BYTES", "STATE");
}

tcp:::retransmit
/args[4]->tcp_hdr != NULL/
{
	printf("%Y %7d %-15s %5d %-15s %5d %10u %6d %s\n", walltimestamp, args[1]->cs_pid, args[3]->tcps_laddr,
	    args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport,
	    args[4]->tcp_seq - args[3]->tcps_iss, args[2]->ip_plength - args[4]->tcp_offset,
	    tcp_state_string[args[3]->tcps_state]);
}

tcp:::retransmit
/args[4]->tcp_hdr == NULL/
{
	printf("%Y %7d %-15s %5d %-15s %5d %10s %6s %s\n", walltimestamp, args[1]->cs_pid, args[3]->tcps_laddr,
	    args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, "-", "-",
	    tcp_state_string[args[3]->tcps_state]);
}
