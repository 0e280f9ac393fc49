/* args: -r tests/pcap/empty.pcap -q -x oformat=folded */
/*
 * With several aggregations, the name of each is a frame. A histogram has the weight of its count.
 * printa() prints immediately.
 */
BEGIN
{
	@q["k"] = quantize(1);
	@q["k"] = quantize(100);
	@q["k"] = quantize(100);
	@c["k"] = count();
	@c["l"] = count();
	printa(@c);
	@c["l"] = count();
}
