/* args: -r tests/pcap/empty.pcap -q -x oformat=folded */
/*
 * With several aggregations the name is a frame. Histograms weigh their counts. printa() shows at
 * once.
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
