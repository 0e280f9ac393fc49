/* args: -r tests/pcap/nano.pcap -q */
/* A capture has no time stamps of other points, so the age of a packet is unknown. */
ip:::receive, ip:::send
{
	printf("%d %d %d\n", args[0]->pkt_age, args[0]->pkt_age_from, args[0]->pkt_age_from == PKT_AGE_UNKNOWN);
}
