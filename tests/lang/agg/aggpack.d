/* args: -q -x aggpack */
/* -x aggpack prints a character per bucket; all keys of an aggregation have the same buckets. */
BEGIN
{
	@a["one", 1] = quantize(5);
	@a["one", 1] = quantize(70);
	@a["two", 2] = quantize(1000, 3);
	@b = lquantize(3, 0, 100, 10);
	@b = lquantize(25, 0, 100, 10, 2);
	@c["of all signs"] = quantize(-1);
	@c["of all signs"] = quantize(0);
	@c["of all signs"] = quantize(1, 2);
	@d = llquantize(5, 10, 0, 1, 10);
	@e["left"] = count();
	exit(0);
}
