/* args: -q */
/* Each function of the same values: -3, 5, 5, 9, 100. */
int v[int];
int i;
BEGIN { v[0] = -3; v[1] = 5; v[2] = 5; v[3] = 9; v[4] = 100; }
BEGIN, BEGIN, BEGIN, BEGIN, BEGIN
{
	@count = count(); @sum = sum(v[i]); @min = min(v[i]); @max = max(v[i]); @avg = avg(v[i]); @dev = stddev(v[i]);
	@q = quantize(v[i]); @qi = quantize(v[i], i); @l = lquantize(v[i], 0, 10, 5); @li = lquantize(v[i], 0, 10, 5, 2);
	@ll = llquantize(v[i], 10, 0, 1, 10);
	i++;
}
BEGIN { exit(0); }
END { printa("%@d ", @count); printa("%@d ", @sum); printa("%@d ", @min); printa("%@d ", @max); printa("%@d ", @avg); printa("%@d\n", @dev); }
END { printa(@q); printa(@qi); printa(@l); printa(@li); printa(@ll); }
