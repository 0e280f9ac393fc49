/* args: -x local=auto -r tests/pcap/owners.pcapng */
/* A packet's comment or process ID sets the owner of its local socket, for later packets too. For
   probes of ip, it sets the owner of that packet only. */
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
