#!/usr/bin/env -S dtrace -s
/*
 * ipproto.d - IP packets and bytes by source, destination and protocol.
 *
 * usage: ipproto.d [-r CAPTURE]
 *
 * The least first.  IPv6 shows the first header behind IP's own.
 */
#pragma D option quiet

BEGIN
{
	printf("Counting received packets; Ctrl-C ends.\n");
}

ip:::receive
/args[4] != NULL/
{
	@packets[args[2]->ip_saddr, args[2]->ip_daddr, args[4]->ipv4_protostr] = count();
	@bytes[args[2]->ip_saddr, args[2]->ip_daddr, args[4]->ipv4_protostr] = sum(args[2]->ip_plength);
}

ip:::receive
/args[5] != NULL/
{
	@packets[args[2]->ip_saddr, args[2]->ip_daddr, args[5]->ipv6_nextstr] = count();
	@bytes[args[2]->ip_saddr, args[2]->ip_daddr, args[5]->ipv6_nextstr] = sum(args[2]->ip_plength);
}

END
{
	printf("%-30s %-30s %-8s %9s %12s\n", "SOURCE", "DESTINATION", "PROTOCOL", "PACKETS", "BYTES");
	printa("%-30s %-30s %-8s %@9d %@12d\n", @packets, @bytes);
}
