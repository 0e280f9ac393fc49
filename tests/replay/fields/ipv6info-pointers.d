/* args: -r tests/pcap/fields.pcapng -q */
ip:::receive
/args[2]->ip_ver == 6/
{
	printf("%s %s %s\n", inet_ntoa6(args[5]->ipv6_src), inet_ntoa6(args[5]->ipv6_dst), inet_ntop(AF_INET6, args[5]->ipv6_dst));
}
