/* args: -q -r tests/pcap/connections.pcap */
/* Text behind a pointer works like a string: compared, measured, joined, stored, as a key. */
ip:::send
{
	p = &((struct sk_buff *)args[0]->pkt_addr)->dev->name[0];
	printf("%d %d %d\n", stringof(p) == "connections.pca", p == "connections.pca", "other" == p);
	printf("%d %d\n", stringof(p) < "d", stringof(p) >= stringof(p + 1));
	printf("%d %s\n", strlen(stringof(p + 11)), strjoin(stringof(p + 11), "!"));
	kept = ("first", stringof(p + 12));
	elem[stringof(p)] = stringof(p + 13);
	printf("%s %s %s\n", kept, elem["connections.pca"], kept = stringof(p + 14));
	printf("%s %d\n", elem[strjoin("n", ++n == 1 ? "1" : "2")] = "once", n);
	@[stringof(p)] = count();
	@[(string)(p + 0)] = count();
	exit(0);
}
