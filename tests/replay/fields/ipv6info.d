/* args: -r tests/pcap/fields.pcapng -q */
ip:::receive
{
	printf("%d 0x%x 0x%x %d %d %s %d %s %s %d %d\n", args[5]->ipv6_ver, args[5]->ipv6_tclass,
	    args[5]->ipv6_flow, args[5]->ipv6_plen, args[5]->ipv6_nexthdr, args[5]->ipv6_nextstr,
	    args[5]->ipv6_hlim, args[5]->ipv6_saddr, args[5]->ipv6_daddr,
	    args[5]->ipv6_src != NULL, args[5]->ipv6_dst != NULL);
}
