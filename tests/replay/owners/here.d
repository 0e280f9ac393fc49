/* args: -x local=192.0.2.1 -r tests/pcap/owners.pcapng */
/* Which addresses are local says whose a packet is that does not say which way it went. */
#pragma D option quiet

udp:::send
/ args[4]->udp_sport == 5 /
{
	printf("%d %s\n", args[1]->cs_pid, args[1]->cs_execname);
}
