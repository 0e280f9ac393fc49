/* args: -r tests/pcap/fields.pcapng -q */
ip:::receive
/!done++/
{
	printf("%d %d %d", sizeof(args[2]->ip_ver), sizeof(args[2]->ip_plength), sizeof(pktinfo_t));
	printf(" %d %d %d %d", sizeof(args[4]->ipv4_flags), sizeof(args[4]->ipv4_offset), sizeof(args[4]->ipv4_src), sizeof(args[5]->ipv6_flow));
	printf(" %d %d %d %d\n", sizeof(args[3]->if_local), sizeof(args[3]->if_ipstack), sizeof(args[1]->cs_cid), sizeof(args[1]->cs_pid));
}
