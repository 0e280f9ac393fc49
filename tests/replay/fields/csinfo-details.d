/* args: -r tests/pcap/owners.pcapng -q */
/* A capture may know whose a socket is, but nothing more. */
tcp:::connect-request, udp:::send
{
	printf("%s %d [%s]\n", probename, args[1]->cs_ppid, args[1]->cs_psargs);
}
