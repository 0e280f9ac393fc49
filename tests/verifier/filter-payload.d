/* args: -x filter='tcp[((tcp[12]&0xf0)>>2):4]=0x47455420 or ip6[6]=44 and ip6[43]&1=0 or not udp[ip[3]:2]/(udp[9]+1)=3' */
tcp:::connect-request, tcp:::connect-established, tcp:::accept-established, tcp:::accept-refused, tcp:::connect-refused,
tcp:::drop, tcp:::retransmit, tcp:::reset-sent, icmp:::send, icmp:::receive, dns:::query, dns:::response, udplite:::receive
{
	@[probename] = count();
}
