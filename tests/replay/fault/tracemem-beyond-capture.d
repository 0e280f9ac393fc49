/* args: -r tests/pcap/udp.pcap -q */
udp:::send
/ args[4]->udp_sport == 1000 /
{
	tracemem(args[4]->udp_hdr, 500);
}
