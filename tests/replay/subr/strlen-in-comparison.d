/* args: -r tests/pcap/addresses.pcap -q */
ip:::receive
/strlen(args[2]->ip_saddr) > strlen(args[2]->ip_daddr)/
{
	printf("%s %s %d\n", args[2]->ip_saddr, args[2]->ip_daddr, strlen(lltostr(-10)) < strlen(lltostr(1000)));
}
