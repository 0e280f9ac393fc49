/* args: -r tests/pcap/protocols.pcap -q */
replay:::send, replay:::receive
{
	this->udp = (struct udphdr *)(args[0]->head + args[0]->transport_header);
	this->ip = (struct iphdr *)(args[0]->head + args[0]->network_header);
	printf("%-7s IPv%d %3d %2d %3d %d -> %d %d\n", probename, this->ip->version, args[1] == NULL ? -1 : args[1]->sk_protocol,
	    args[0]->transport_header - args[0]->network_header, args[0]->len, ntohs(this->udp->source),
	    ntohs(this->udp->dest), args[0]->data == (unsigned char *)this->ip && args[0]->sk == args[1]);
}
