/* args: -r tests/pcap/fields.pcapng -q */
ip:::receive
{
	printf("%d %d 0x%x %d 0x%x 0x%x %d %d %d %s 0x%x 0x%x 0x%x %s %s\n", args[4]->ipv4_ver,
	    args[4]->ipv4_ihl, args[4]->ipv4_tos, args[4]->ipv4_length, args[4]->ipv4_ident,
	    args[4]->ipv4_flags, args[4]->ipv4_offset, args[4]->ipv4_ttl, args[4]->ipv4_protocol,
	    args[4]->ipv4_protostr, args[4]->ipv4_checksum, ntohl(args[4]->ipv4_src),
	    ntohl(args[4]->ipv4_dst), args[4]->ipv4_saddr, args[4]->ipv4_daddr);
}
