/* args: -r tests/pcap/empty.pcap -q */
BEGIN
{
	printf("%d %d %d %d %d %d\n", IPPROTO_TCP, IPPROTO_UDP, IPPROTO_ICMP, IPPROTO_ICMPV6, IPPROTO_IPV6, IPPROTO_UDPLITE);
	printf("%d %d %d %d\n", AF_INET, AF_INET6, IPH_DF, IPH_MF);
}
