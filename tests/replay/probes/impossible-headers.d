/* args: -r tests/pcap/impossible.pcap -x strict -x footer -q */
ip:::receive
{
	@least["ip_plength"] = min((int64_t)args[2]->ip_plength);
	@most["ip_plength"] = max((int64_t)args[2]->ip_plength);
	@n["ip:::receive"] = count();
}
icmp:::receive
{
	@n["icmp:::receive"] = count();
}
tcp:::receive
{
	@n["tcp:::receive"] = count();
	printf("tcp %d: data %d, after both headers %d\n", args[4]->tcp_sport, args[4]->tcp_plength,
	    (int)(args[2]->ip_plength - args[4]->tcp_offset));
}
udp:::receive
{
	@n["udp:::receive"] = count();
	printf("udp %d: %d of %d\n", args[4]->udp_sport, args[4]->udp_length, args[2]->ip_plength);
}
udplite:::receive
{
	@n["udplite:::receive"] = count();
}
tcp:::state-change
{
	@n["tcp:::state-change"] = count();
}
END
{
	printa("%-20s at least %@d\n", @least);
	printa("%-20s at most  %@d\n", @most);
	printa("%-20s %@d\n", @n);
}
