/* Reads ages at every kind of hook that has packets. */
ip:::send, ip:::receive, ip:::drop { @[args[0]->pkt_age_from] = quantize(args[0]->pkt_age); @t = max(timestamp); }
tcp:::send, tcp:::receive, tcp:::connect-request, tcp:::connect-established, tcp:::connect-refused,
tcp:::accept-established, tcp:::accept-refused, tcp:::retransmit, tcp:::drop, tcp:::reset-sent
/args[0]->pkt_age > 1000000/
{
	printf("%d %d", args[0]->pkt_age, args[0]->pkt_age_from);
}
udp:::send, udp:::receive, udp:::drop { @u[args[0]->pkt_addr] = avg(args[0]->pkt_age); }
icmp:::send, icmp:::receive, dns:::query, dns:::response { trace(args[0]->pkt_age); }
