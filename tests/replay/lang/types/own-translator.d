/* args: -q -r tests/pcap/connections.pcap */
/* A program's translator to a library struct applies only to its own input type. */
translator ipinfo_t < int i > { ip_ver = i; };
ip:::send
/n++ == 0/
{
	printf("%d %d\n", args[2]->ip_ver, xlate<ipinfo_t>(9).ip_ver);
	exit(0);
}
