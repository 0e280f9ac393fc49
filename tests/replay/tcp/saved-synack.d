/* args: -r tests/pcap/connections.pcap -q */
/* connect-established fires when the client acknowledges the SYN+ACK, and shows the SYN+ACK. */
tcp:::connect-established
{
	printf("%d ms, %s:%d > %s:%d, %d bytes, seq %d ack %d, %x %d\n",
	    (timestamp - 1700000000000000000) / 1000000, args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr,
	    args[4]->tcp_dport, args[2]->ip_plength, args[4]->tcp_seq, args[4]->tcp_ack, args[4]->tcp_flags,
	    args[4]->tcp_window);
}
