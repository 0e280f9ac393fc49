/* args: -r tests/pcap/seconds.pcap -q */
ip:::receive
{
	this->n = args[2]->ip_plength;
	@c = count(); @s = sum(this->n); @lo = min(this->n); @hi = max(this->n);
	@a = avg(this->n); @d = stddev(this->n);
}
