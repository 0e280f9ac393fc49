/* args: -r tests/pcap/fields.pcapng -q */
ip:::receive
{
	printf("%d %d %d %d\n", args[4] == NULL, args[5] == NULL, args[4] != NULL, args[5] != 0);
}
