/* args: -r tests/pcap/demo.pcap -q */
/* s[i] is a byte of any string; past the end it is 0. */
string array[string];

BEGIN
{
	s = "hello";
	i = 4;
	array["k"] = "element";
	self->s = "\377thread";
	printf("%d %c%c%d%d\n", s[1], s[0], s[i], s[5], s[i + 200]);
	printf("%c%c%d%c%c\n", "literal"[2], array["k"][1], self->s[0], strjoin(s, s)[i + 1], probename[i]);
	printf("%d %c%c\n", sizeof (s[0]), s[i--], s[i]);
	x = "10.0.0.1";
}
ip:::send
{
	this->a = args[2]->ip_saddr;
	printf("%c%c%c %c %c\n", args[2]->ip_saddr[0], args[2]->ip_saddr[1], this->a[2], probefunc[0], x[i]);
	exit(0);
}
