/* args: -r tests/pcap/fields.pcapng -q */
ip:::send, ip:::receive
{
	printf("%s %s %d %d %d\n", probename, args[3]->if_name, args[3]->if_local, args[3]->if_ipstack, args[3]->if_addr != 0);
}
