/* args: -r tests/pcap/fields.pcapng -q */
ip:::receive
/args[5] != NULL/
{
	printf("%d %d\n", args[5]->ipv6_hdr->hop_limit, ntohs(args[5]->ipv6_hdr->payload_len));
}
