/* args: -r tests/pcap/connections.pcap -q */
/* The two ends have different cookies. A reused port is a new connection. */
tcp:::send, tcp:::receive
{
	@[args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_rport, args[1]->cs_cid] = count();
}
