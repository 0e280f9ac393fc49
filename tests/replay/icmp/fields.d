/* args: -r tests/pcap/icmp.pcap */
/* Every member. For errors: the packet quoted in the message; members of missing parts are empty. */
#pragma D option quiet

icmp:::send
{
	printf("%d %d %s %d %d mtu %d about %s %s %d %d %d len %d %d\n", args[4]->icmp_type, args[4]->icmp_code,
	    args[4]->icmp_name, args[4]->icmp_id, args[4]->icmp_seq, args[4]->icmp_mtu, args[4]->icmp_about_saddr,
	    args[4]->icmp_about_daddr, args[4]->icmp_about_protocol, args[4]->icmp_about_sport,
	    args[4]->icmp_about_dport, args[2]->ip_plength, args[4]->icmp_hdr != NULL);
}
