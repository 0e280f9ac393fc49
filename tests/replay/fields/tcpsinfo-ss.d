/* args: -r tests/pcap/sessions.pcap */
#pragma D option quiet
/* The values of ss -ti at the end of a connection, as far as a capture contains them. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT/
{
	printf("%s:%d %s:%d rtt %d/%d min %d acked %d received %d sent %d again %d in %d segments\n", args[3]->tcps_laddr,
	    args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, args[3]->tcps_rtt_us, args[3]->tcps_rttvar_us,
	    args[3]->tcps_minrtt_us, args[3]->tcps_bytes_acked, args[3]->tcps_bytes_received, args[3]->tcps_bytes_sent,
	    args[3]->tcps_bytes_retrans, args[3]->tcps_retrans);
	@[args[3]->tcps_delivery_rate, args[3]->tcps_unacked, args[3]->tcps_lost, tcp_ca_string[args[3]->tcps_ca_state],
	    args[3]->tcps_ca_name, args[3]->tcps_backlog, args[3]->tcps_backlog_max] = count();
}
