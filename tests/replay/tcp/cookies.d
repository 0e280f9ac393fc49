/* args: -r tests/pcap/connections.pcap -q */
/* The two ends differ; a port used again is another connection. */
tcp:::send, tcp:::receive
{
	@[args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_rport, args[1]->cs_cid] = count();
}
