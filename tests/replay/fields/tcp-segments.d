/* args: -q -r tests/pcap/offload.pcap -x local=192.0.2.1 */
/* A packet of 2,500 bytes is three segments of at most 1,000 bytes; the counters of mib agree. */
tcp:::send, tcp:::retransmit
{
	printf("%s %d bytes, %d segments\n", probename, args[4]->tcp_plength, args[4]->tcp_segments);
}

mib:::tcpOutSegs, mib:::tcpRetransSegs
{
	@[probename] = sum(args[0]);
}

END
{
	printa("%s %@d\n", @);
}
