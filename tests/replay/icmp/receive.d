/* args: -r tests/pcap/icmp.pcap */
/* The receiver sees the packet that was sent. */
#pragma D option quiet

icmp:::send    { @[args[2]->ip_saddr, args[4]->icmp_name] = sum(1); }
icmp:::receive { @[args[2]->ip_saddr, args[4]->icmp_name] = sum(-1); some++; }

END
{
	printf("%d\n", some);
	printa("%s %s %@d\n", @);
}
