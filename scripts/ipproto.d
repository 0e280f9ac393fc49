#!/usr/bin/env -S dtrace -s
/*
 * ipproto.d - IP packets and bytes by source, destination and protocol.
 *
 * usage: ipproto.d [-r CAPTURE]
 *
 * The least first.  IPv6 shows the first header behind IP's own.  Of long addresses the
 * destination stands on a line of its own.
 *
 *	  PACKETS        BYTES PROTOCOL SOURCE          DESTINATION
 *	        3          114 UDP      192.0.2.10      192.0.2.53
 */
#pragma D option quiet

/* In front of the destination. */
inline string NEXT = strlen(args[2]->ip_saddr) > 15 || strlen(args[2]->ip_daddr) > 15 ?
	"\n                                " : " ";

BEGIN
{
	printf("Counting received packets; Ctrl-C ends.\n");
}

ip:::receive
/args[4] != NULL/
{
	@packets[args[4]->ipv4_protostr, args[2]->ip_saddr, NEXT, args[2]->ip_daddr] = count();
	@bytes[args[4]->ipv4_protostr, args[2]->ip_saddr, NEXT, args[2]->ip_daddr] = sum(args[2]->ip_plength);
}

ip:::receive
/args[5] != NULL/
{
	@packets[args[5]->ipv6_nextstr, args[2]->ip_saddr, NEXT, args[2]->ip_daddr] = count();
	@bytes[args[5]->ipv6_nextstr, args[2]->ip_saddr, NEXT, args[2]->ip_daddr] = sum(args[2]->ip_plength);
}

END
{
	printf("%9s %12s %-8s %-15s %s\n", "PACKETS", "BYTES", "PROTOCOL", "SOURCE", "DESTINATION");
	printa("%@9d %@12d %-8s %-15s%s%s\n", @packets, @bytes);
}
