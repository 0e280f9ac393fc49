/* args: -r tests/pcap/fields.pcapng -q */
ip:::send, ip:::receive
{
	printf("%d %d %d\n", args[1]->cs_pid, args[1]->cs_zoneid, args[1]->cs_cid == 0);
}
