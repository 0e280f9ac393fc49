/* args: -r tests/pcap/udp.pcap */
/* The first bytes behind a pointer, as a user of udp_hdr would read them. */
udp:::send
/ args[4]->udp_sport <= 1001 /
{
	tracemem(args[4]->udp_hdr, 9);
	tracemem(args[4]->udp_hdr, 9, 4);
	tracemem(args[4]->udp_hdr, 2, 100);
}
