/* args: -r tests/pcap/refused.pcap -x local=192.0.2.2 */
#pragma D option quiet
/* A SYN to a closed port, and the reset: members come from the headers, else they are 0. */
tcp:::receive, tcp:::send, tcp:::accept-refused
{
	printf("%s %s %d %s %d %s, %d %d %d %d %d\n", probename, args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport, tcp_state_string[args[3]->tcps_state], args[3]->tcps_iss,
	    args[3]->tcps_rnxt, args[3]->tcps_mss, args[3]->tcps_retransmit, args[3]->tcps_addr);
	printf("    %s %d %s %d flags %d seq %d ack %d\n", args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr,
	    args[4]->tcp_dport, args[4]->tcp_flags, args[4]->tcp_seq, args[4]->tcp_ack);
}
