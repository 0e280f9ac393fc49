/* args: -r tests/pcap/nano.pcap -q */
/* A capture does not say when packets left another point. */
ip:::receive, ip:::send
{
	printf("%d %d %d\n", args[0]->pkt_age, args[0]->pkt_age_from, args[0]->pkt_age_from == PKT_AGE_UNKNOWN);
}
