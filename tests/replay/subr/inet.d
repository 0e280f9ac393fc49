/* args: -r tests/pcap/fields.pcapng -q */
ip:::receive /args[4] != NULL/
{
	printf("%s %s\n", inet_ntoa(&args[4]->ipv4_hdr->saddr), inet_ntop(AF_INET, &args[4]->ipv4_hdr->daddr));
}
ip:::receive /args[5] != NULL/
{
	printf("%s %s\n", inet_ntoa6(&args[5]->ipv6_hdr->saddr), inet_ntop(AF_INET6, args[5]->ipv6_dst));
}
