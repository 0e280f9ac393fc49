/* args: -q -r tests/pcap/connections.pcap */
/* An inline gets its types where it is used, and its names where it is defined. Assigning in it defines variables. */
inline int version = (seen = args[2]->ip_ver) + seen + count_of[seen]++;
ip:::send
/n++ < 2/
{
	printf("%d\n", version);
}
