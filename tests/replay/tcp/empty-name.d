/* args: -q -r tests/pcap/refused.pcap */
/* An empty name matches probes without a packet, too. args[0], args[2] and args[4] are NULL there. */
tcp:::
/args[1]->cs_addr != 0/
{
	@[probename, args[0] == NULL, args[2]->ip_saddr, args[4]->tcp_dport, args[3]->tcps_rport] = count();
}

tcp:::*e
/args[2] == NULL/
{
	@without[probename, args[0]->pkt_ct_state, args[2]->ip_ver, args[4]->tcp_hdr == NULL] = count();
}

tcp:::re*
{
	@re[probename, args[4]->tcp_flags] = count();
}

END
{
	printa("%s %d %s %d %d: %@d\n", @);
	printa("without: %s %s %d %d: %@d\n", @without);
	printa("re: %s %x: %@d\n", @re);
}
