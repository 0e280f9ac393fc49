/* args: -r tests/pcap/owners.pcapng -q */
/* A capture may contain the owner of a socket, but nothing more. */
tcp:::connect-request, udp:::send
{
	printf("%s %d [%s]\n", probename, args[1]->cs_ppid, args[1]->cs_psargs);
}
