/* args: -q -r tests/pcap/sessions.pcap */
/* The addresses of packets, as text and in memory. */
ip:::send
{
	@[net(args[2]->ip_saddr, 24), cidr(args[2]->ip_saddr, "2001:db8::/32"), cidr(args[2]->ip_saddr, "192.0.2.2")] =
	    count();
}

ip:::send
/args[4] != NULL/
{
	@same["IPv4", net(&args[4]->ipv4_hdr->saddr, 24) == net(args[2]->ip_saddr, 24),
	    cidr(&args[4]->ipv4_hdr->daddr, "192.0.2.2") == cidr(args[2]->ip_daddr, "192.0.2.2")] = count();
}

ip:::send
/args[5] != NULL/
{
	@same["IPv6", net(args[5]->ipv6_src, 24) == net(args[2]->ip_saddr, 24),
	    cidr(args[5]->ipv6_dst, "2001:db8::/32") == cidr(args[2]->ip_daddr, "2001:db8::/32")] = count();
}

tcp:::state-change
/cidr(args[3]->tcps_laddr, "0.0.0.0/0")/
{
	@tcp[net(args[3]->tcps_raddr, 8)] = count();
}
