/* args: -x local=auto -r tests/pcap/owners.pcapng */
/* A packet's comment or process id is that of its local end's socket, and of its later packets; of
   IP's probes, that of the packet in hand. */
#pragma D option quiet

ip:::send, ip:::receive
{
	printf("%s %s %d %s\n", probeprov, probename, args[1]->cs_pid, args[1]->cs_execname);
}

tcp:::send, tcp:::receive, tcp:::connect-request
{
	printf("%s %s %d %s\n", probeprov, probename, args[1]->cs_pid, args[1]->cs_execname);
}

udp:::send, udp:::receive
{
	printf("%s %s %d %s\n", probeprov, probename, args[1]->cs_pid, args[1]->cs_execname);
}
