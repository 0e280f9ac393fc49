/* args: -r tests/pcap/reassembly.pcap -q */
/* The headers of the datagram show no sign of fragmentation. */
replay:::send
/ ((struct iphdr *)args[0]->data)->version == 4 /
{
	this->ip = (struct iphdr *)args[0]->data;
	@[ntohs(((struct udphdr *)(args[0]->head + args[0]->transport_header))->dest), ntohs(this->ip->tot_len),
	    this->ip->frag_off, this->ip->protocol] = count();
}
replay:::send
/ ((struct iphdr *)args[0]->data)->version == 6 /
{
	this->ip6 = (struct ipv6hdr *)args[0]->data;
	printf("payload %d, next headers %d %d %d\n", ntohs(this->ip6->payload_len), this->ip6->nexthdr,
	    args[0]->data[40], args[0]->data[48]);
	/* the first and the last byte of the data */
	printf("%d %d\n", args[0]->data[64], args[0]->data[args[0]->len - 1]);
}
END { printa("port %2d, total length %4d, %d, protocol %3d: %@d\n", @); }
