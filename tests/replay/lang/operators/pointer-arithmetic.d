/* args: -q -r tests/pcap/connections.pcap */
/* The target of an index or a sum is checked when it is read. */
ip:::send
{
	skb = (struct sk_buff *)args[0]->pkt_addr;
	i = 3;
	printf("%c %c %c %c\n", skb->dev->name[i], skb->dev->name[i - 3], *(skb->dev->name + i), *(&skb->dev->name[1] + i));
	this->a = &skb->dev->name[4];
	printf("%c %c %c\n", this->a[0], this->a[i], this->a[-1]);
	printf("%d %d\n", (skb + 1) - skb, (long)(skb + i) - (long)skb == 3 * sizeof(struct sk_buff));
	printf("%d %d\n", (skb + i - 3)->len == skb->len, skb[i - 3].len == skb[0].len);
	printf("%d %d\n", *(unsigned int *)((char *)skb + offsetof(struct sk_buff, len)) == skb->len,
	    (skb ? skb : NULL)->len == ((struct sk_buff *)((long)skb & ~0))->len);
	exit(0);
}
