/* args: -q -r tests/pcap/connections.pcap */
/* stringof() reads the text behind a pointer, for any pointer expression. */
ip:::send
{
	skb = (struct sk_buff *)args[0]->pkt_addr;
	p = &skb->dev->name[0];
	this->p = p;
	self->p = p;
	elem[1] = p;
	printf("member %s %s\n", skb->dev->name, stringof(skb->dev->name));
	printf("global %s thread %s clause %s element %s\n", stringof(p), stringof(self->p), stringof(this->p),
	    stringof(elem[1]));
	printf("cast %s sum %s address %s\n", (string)p, stringof(p + 3), (string)&skb->dev->name[11]);
	printf("number %s %s\n", (string)(uint64_t)p, stringof((char *)((uint64_t)p + 1)));
	printf("assignment %s %s\n", stringof(q = p), stringof(++q));
	printf("comma %s %s\n", stringof((1, p)), stringof((q++, skb->dev->name)));
	printf("either %s %s %s\n", stringof(skb ? p : q), stringof(skb ? skb->dev->name : q), skb ? "word" : p);
	exit(0);
}
