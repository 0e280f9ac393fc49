/* args: -r tests/pcap/fields.pcapng -q */
ip:::receive
/args[4] != NULL/
{
	printf("%d %d %s\n", args[4]->ipv4_hdr->ttl, ntohs(args[4]->ipv4_hdr->tot_len), inet_ntoa(&args[4]->ipv4_hdr->saddr));
}
