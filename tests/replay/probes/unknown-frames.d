/* args: -r tests/pcap/unknown.pcapng -x strict -q */
ip:::receive
{
	@[probeprov] = count();
}
tcp:::state-change
{
	@[probename] = count();
}
END
{
	printa("%s %@d\n", @);
}
