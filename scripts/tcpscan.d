#!/usr/bin/env -S dtrace -s
/*
 * tcpscan.d - who looks for open TCP ports here, and how.
 *
 * usage: tcpscan.d [-r CAPTURE]
 *
 * refused: a SYN to a port where nobody listens.  half: a handshake that was reset before
 * its end.  null, xmas, fin: segments without flags; with FIN, PUSH and URG; with FIN alone,
 * which no connection has any use for.  ack: an acknowledgement, with FIN or without, of no
 * connection (in captures without FIN), answered by a reset: few may be late ones.  udp: a datagram to a port that nobody
 * has.  Who connects as everybody does, and finds somebody there, is not told apart: tcpconnlog.
 *
 *	HOW         TIMES FROM             PORT
 *	xmas            1 198.51.100.7       22
 */
#pragma D option quiet

BEGIN
{
	printf("Watching for scans; Ctrl-C ends.\n");
}

/* The reset that goes out: its source is this host. */
tcp:::accept-refused
{
	@scans["refused", args[2]->ip_daddr, args[4]->tcp_sport] = count();
}

/* Until the handshake's end it is the listener that gets segments. */
tcp:::receive
/(args[4]->tcp_flags & TH_RST) &&
 (args[3]->tcps_state == TCP_STATE_LISTEN || args[3]->tcps_state == TCP_STATE_SYN_RECEIVED)/
{
	@scans["half", args[2]->ip_saddr, args[4]->tcp_dport] = count();
}

tcp:::receive
/args[4]->tcp_flags == 0/
{
	@scans["null", args[2]->ip_saddr, args[4]->tcp_dport] = count();
}

tcp:::receive
/args[4]->tcp_flags == (TH_FIN | TH_PUSH | TH_URG)/
{
	@scans["xmas", args[2]->ip_saddr, args[4]->tcp_dport] = count();
}

tcp:::receive
/args[4]->tcp_flags == TH_FIN/
{
	@scans["fin", args[2]->ip_saddr, args[4]->tcp_dport] = count();
}

/* To no socket, and answered so. */
tcp:::receive
/args[3]->tcps_addr == 0 && (args[4]->tcp_flags & (TH_ACK | TH_SYN | TH_RST)) == TH_ACK/
{
	odd[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] = 1;
}

tcp:::reset-sent
/odd[args[2]->ip_daddr, args[4]->tcp_dport, args[2]->ip_saddr, args[4]->tcp_sport]/
{
	@scans["ack", args[2]->ip_daddr, args[4]->tcp_sport] = count();
	odd[args[2]->ip_daddr, args[4]->tcp_dport, args[2]->ip_saddr, args[4]->tcp_sport] = 0;
}

icmp:::send
/args[4]->icmp_name == "unreachable" && args[4]->icmp_code == (args[2]->ip_ver == 4 ? 3 : 4) &&
 args[4]->icmp_about_protocol == IPPROTO_UDP/
{
	@scans["udp", args[4]->icmp_about_saddr, args[4]->icmp_about_dport] = count();
}

END
{
	printf("%-7s %9s %-15s %5s\n", "HOW", "TIMES", "FROM", "PORT");
	printa("%-7s %@9d %-15s %5d\n", @scans);
}
