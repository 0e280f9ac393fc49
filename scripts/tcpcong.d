#!/usr/bin/env -S dtrace -s
/*
 * tcpcong.d - what congestion control makes of TCP connections: segments that were sent in each of its states.
 *
 * usage: tcpcong.d
 *
 * OPEN: nothing unusual; DISORDER: perhaps a loss; CWR: told to send less; RECOVERY: what was lost is sent
 * again; LOSS: the same, after the timeout.  Live only: a capture does not tell.  A long address (IPv6) has
 * a line of its own.
 *
 *	LPORT REMOTE           PORT     OPEN DISORDER      CWR RECOVERY     LOSS
 *	   80 198.51.100.7    40000     1200        3        0       12        0
 */
#pragma D option quiet
#pragma D option live

/* Behind the remote address. */
inline string NEXT = strlen(args[3]->tcps_raddr) > 15 ? "\n                            " : " ";

BEGIN
{
	printf("Watching congestion control; Ctrl-C ends.\n");
}

tcp:::send
/args[3]->tcps_addr != 0 && args[3]->tcps_ca_name != "<unknown>"/
{
	@open[args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, NEXT] =
	    sum(args[3]->tcps_ca_state == TCP_CA_OPEN);
	@disorder[args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, NEXT] =
	    sum(args[3]->tcps_ca_state == TCP_CA_DISORDER);
	@cwr[args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, NEXT] =
	    sum(args[3]->tcps_ca_state == TCP_CA_CWR);
	@recovery[args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, NEXT] =
	    sum(args[3]->tcps_ca_state == TCP_CA_RECOVERY);
	@loss[args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, NEXT] =
	    sum(args[3]->tcps_ca_state == TCP_CA_LOSS);
}

END
{
	printf("%5s %-15s %5s %8s %8s %8s %8s %8s\n", "LPORT", "REMOTE", "PORT", "OPEN", "DISORDER", "CWR", "RECOVERY",
	    "LOSS");
	printa("%5d %-15s %5d%s%@8d %@8d %@8d %@8d %@8d\n", @open, @disorder, @cwr, @recovery, @loss);
}
