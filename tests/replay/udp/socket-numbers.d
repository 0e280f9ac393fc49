/* args: -r tests/pcap/udp.pcap */
/* A socket is identified by address and port: one end sends and receives with the same socket. */
#pragma D option quiet

udp:::send, udp:::receive
{
	@[args[3]->udps_laddr, args[3]->udps_lport, args[1]->cs_cid != 0] = count();
	numbers[args[3]->udps_laddr, args[3]->udps_lport] = args[1]->cs_cid;
}

udp:::send, udp:::receive
/ numbers[args[3]->udps_laddr, args[3]->udps_lport] != args[1]->cs_cid /
{
	printf("changed\n");
}
