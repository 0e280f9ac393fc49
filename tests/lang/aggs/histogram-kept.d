/* args: -q */
/* Histograms keep counting after trunc() and clear(): buckets far apart, on both sides of 0. */
BEGIN
{
	@q["a"] = quantize(1);
	@q["b"] = quantize(1000);
	@q["c"] = quantize(-5);
	@l["x"] = lquantize(3, 0, 100, 1);
	@l["y"] = lquantize(200, 0, 100, 1);
	@ll["m"] = llquantize(7, 10, 0, 2, 20);
	@ll["n"] = llquantize(800, 10, 0, 2, 20);
	trunc(@q, 2);
	trunc(@l, -1);
	clear(@ll);
	exit(0);
}

END
{
	@q["a"] = quantize(-5);
	@q["c"] = quantize(0);
	@l["x"] = lquantize(5, 0, 100, 1);
	@l["x"] = lquantize(3, 0, 100, 1, 2);
	@ll["n"] = llquantize(9, 10, 0, 2, 20);
	printa(@q);
	printa(@l);
	printa(@ll);
}
