/* args: -r tests/pcap/snaplen.pcap -q */
/* A datagram counts however little of it was captured; reading the missing part is a fault. */
replay:::receive { @[args[1]->sk_protocol] = count(); }
replay:::receive
{
	this->l4 = (struct udphdr *)(args[0]->head + args[0]->transport_header);
	printf("%d: from %d ", args[1]->sk_protocol, ntohs(this->l4->source));
	printf("to %d\n", ntohs(this->l4->dest));
}
END { printa("%d: %@d\n", @); }
