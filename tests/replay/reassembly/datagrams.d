/* args: -r tests/pcap/reassembly.pcap -q */
/* Each complete datagram fires once, when its last missing fragment arrives. */
BEGIN { start = timestamp; }
replay:::receive
{
	this->ip = (struct iphdr *)(args[0]->head + args[0]->network_header);
	this->l4 = (struct udphdr *)(args[0]->head + args[0]->transport_header);
	printf("%5d ms: IPv%d protocol %3d, port %2d: ", (timestamp - start) / 1000000, this->ip->version,
	    args[1]->sk_protocol, ntohs(this->l4->dest));
	printf("%d bytes, %d not captured, headers at %d %d %d\n", args[0]->len, args[0]->data_len,
	    args[0]->network_header, args[0]->transport_header, args[0]->mac_header);
}
