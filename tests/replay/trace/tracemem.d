/* args: -r tests/pcap/udp.pcap */
/* tracemem() prints the first bytes behind a pointer, here those of the UDP header. */
udp:::send
/ args[4]->udp_sport <= 1001 /
{
	tracemem(args[4]->udp_hdr, 9);
	tracemem(args[4]->udp_hdr, 9, 4);
	tracemem(args[4]->udp_hdr, 2, 100);
}
