/* args: -r tests/pcap/demo.pcap -q */
/* An address in a variable works like any string. A literal that looks like an address is not one. */
BEGIN
{
	x = "10.0.0.1";
	printf("%d %s %d %d %d\n", strlen(x), strjoin(x, ":80"), x < "9", x == "10.0.0.1", x > "10.0.0.10");
}
ip:::send
/n++ < 2/
{
	this->a = args[2]->ip_saddr;
	this->b = strjoin(this->a, ":80");
	kept = n == 1 ? args[2]->ip_daddr : "none";
	printf("%s %s %d %d %s %d\n", this->a, this->b, strlen(this->a), this->a == args[2]->ip_saddr,
	    strjoin(kept, "!"), kept < "a");
	elem[this->a] = strjoin(kept, kept);
	printf("%s\n", elem[args[2]->ip_saddr]);
}
