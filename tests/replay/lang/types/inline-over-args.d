/* args: -q -r tests/pcap/connections.pcap */
/* Its types are known where it is used, its names before; assigning makes some. */
inline int version = (seen = args[2]->ip_ver) + seen + count_of[seen]++;
ip:::send
/n++ < 2/
{
	printf("%d\n", version);
}
