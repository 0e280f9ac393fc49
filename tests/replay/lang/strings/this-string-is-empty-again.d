/* args: -r tests/pcap/udp.pcap -q */
int n[string];
this string s;
ip:::receive
{
	printf("%d %d\n", (n["a"] ? "x" : "") == this->s, n[this->s]++);
	this->s = strjoin(probename, this->s);
}
