/* args: -x local=192.0.2.1 -r tests/pcap/owners.pcapng */
/* The local addresses determine a packet's owner if the packet has no direction. */
#pragma D option quiet

udp:::send
/ args[4]->udp_sport == 5 /
{
	printf("%d %s\n", args[1]->cs_pid, args[1]->cs_execname);
}
