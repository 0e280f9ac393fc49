/* args: -r tests/pcap/tcpoptions.pcap -q */
/* A retransmission of a segment missing from SACK, then a window probe, which is no retransmission. */
tcp:::retransmit
{
	printf("%d %d %s\n", args[3]->tcps_lport, args[3]->tcps_dupacks, tcp_retrans_string[args[3]->tcps_retransmit_kind]);
}
