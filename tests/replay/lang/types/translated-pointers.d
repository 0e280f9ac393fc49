/* args: -q -r tests/pcap/connections.pcap */
/* Every way to reach a translated member, and the only allowed comparison. */
inline string from[ipinfo_t *i] = i->ip_saddr;
inline ipinfo_t *ip = args[2];

ip:::send
/seen++ == 0/
{
	printf("%d %d %d\n", args[2]->ip_ver, (*args[2]).ip_ver, args[2][0].ip_ver);
	printf("%d %d\n", (seen ? args[2] : args[2])->ip_ver, (*(seen, args[2])).ip_ver);
	printf("%d %d %d\n", args[2] == NULL, NULL != args[2], args[4] == 0);
	printf("%s %s %s\n", from[args[2]], ip->ip_saddr, from[ip]);
	printf("%d %d\n", (*xlate<ipinfo_t *>((struct iphdr *)NULL)).ip_ver,
	    xlate<ipinfo_t *>((struct iphdr *)NULL) == NULL);
	args[2];
	*args[2];
	exit(0);
}
