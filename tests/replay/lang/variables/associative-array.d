/* args: -r tests/pcap/udp.pcap -q */
ip:::receive { bytes[args[2]->ip_saddr] += args[2]->ip_plength; seen[args[2]->ip_ver, args[2]->ip_daddr]++; }
END
{
	printf("%d %d %d\n", bytes["192.0.2.1"], bytes["2001:db8::1"], bytes["192.0.2.99"]);
	printf("%d %d %d\n", seen[4, "192.0.2.2"], seen[6, "2001:db8::2"], seen[4, "2001:db8::2"]);
}
