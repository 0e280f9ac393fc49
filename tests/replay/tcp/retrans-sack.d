/* args: -r tests/pcap/tcpoptions.pcap -q */
/* A segment that SACK leaves out, then a window probe, which sends nothing again. */
tcp:::retransmit
{
	printf("%d %d %s\n", args[3]->tcps_lport, args[3]->tcps_dupacks, tcp_retrans_string[args[3]->tcps_retransmit_kind]);
}
