/* args: -r tests/pcap/connections.pcap -q */
/*
 * Kinds of retransmission: a tail loss probe; a SYN without an answer. The SYN+ACKs of a simultaneous
 * open are none.
 */
tcp:::retransmit
{
	printf("%d %s\n", args[3]->tcps_lport, tcp_retrans_string[args[3]->tcps_retransmit_kind]);
}
tcp:::send / args[3]->tcps_retransmit != (args[3]->tcps_retransmit_kind != TCP_RETRANS_NONE) / { printf("wrong\n"); }
tcp:::receive / args[3]->tcps_retransmit_kind != TCP_RETRANS_NONE / { printf("wrong\n"); }
