/* args: -r tests/pcap/udp.pcap */
#pragma D option quiet
udp:::send, udp:::receive
/args[4]->udp_sport < 1002/
{
	printf("%s %d -> %d length %d checksum %04x, raw %04x\n", probename, args[4]->udp_sport, args[4]->udp_dport,
	    args[4]->udp_length, args[4]->udp_checksum, args[4]->udp_hdr->check);
	printf("    here %s %d, there %s %d\n", args[3]->udps_laddr, args[3]->udps_lport, args[3]->udps_raddr,
	    args[3]->udps_rport);
	printf("    %d %d\n", args[3]->udps_addr != 0, args[3]->udps_addr == args[1]->cs_addr);
}
