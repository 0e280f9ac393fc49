/* args: -r tests/pcap/segments.pcap -x local=192.0.2.2,2001:db8::2 */
#pragma D option quiet
/* Host byte order, the header length in bytes, the window unscaled, and no AE flag. */
tcp:::receive
{
	printf("%04x -> %04x seq %08x ack %08x header %d flags %02x window %04x urgent %04x\n", args[4]->tcp_sport,
	    args[4]->tcp_dport, args[4]->tcp_seq, args[4]->tcp_ack, args[4]->tcp_offset, args[4]->tcp_flags,
	    args[4]->tcp_window, args[4]->tcp_urgent);
}

/* These members equal the raw header, so no line says that they differ. */
tcp:::receive
/args[4]->tcp_checksum != ntohs(args[4]->tcp_hdr->check) || args[4]->tcp_offset != args[4]->tcp_hdr->doff * 4/
{
	printf("differs: checksum %x\n", args[4]->tcp_checksum);
}

tcp:::receive
/args[4]->tcp_sport == 0x1234/
{
	printf("checksum %04x, raw %04x\n", args[4]->tcp_checksum, args[4]->tcp_hdr->check);
}
