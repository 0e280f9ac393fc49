/* args: -r tests/pcap/empty.pcap -q -x oformat=folded */
/*
 * Without a stack each key is a frame. Aggregations without keys and printed text are left
 * out.
 */
BEGIN
{
	printf("not here\n");
	@a["b", 2] = sum(5);
	@a["b", -1] = sum(7);
	@a["a;b", 1] = sum(1);
	@a["x\ny\033[1m", 0] = sum(2);
	@a["", 0] = sum(3);
	@a["none", 0] = sum(0);
	@alone = count();
}
