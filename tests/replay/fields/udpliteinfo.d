/* args: -r tests/pcap/udplite.pcap */
#pragma D option quiet
udplite:::send, udplite:::receive
{
	printf("%s %d -> %d covers %d checksum %04x, raw %04x %04x\n", probename, args[4]->udplite_sport,
	    args[4]->udplite_dport, args[4]->udplite_coverage, args[4]->udplite_checksum,
	    args[4]->udplite_hdr->len, args[4]->udplite_hdr->check);
	printf("    here %s %d, there %s %d\n", args[3]->udplites_laddr, args[3]->udplites_lport,
	    args[3]->udplites_raddr, args[3]->udplites_rport);
	printf("    %d %d\n", args[3]->udplites_addr != 0, args[3]->udplites_addr == args[1]->cs_addr);
}

/* UDP-Lite packets must not fire the probes of udp. */
udp:::send, udp:::receive
{
	printf("udp\n");
}
