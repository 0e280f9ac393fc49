/* args: -q -r tests/pcap/connections.pcap */
/* Aggregating pointers, and small keys computed from pointers. */
ip:::send
/n++ < 3/
{
	p = arg0;
	@sum["sum"] = sum(arg0);
	@min["min"] = min(arg0);
	@max["max"] = max(arg0);
	@avg["avg"] = avg(arg0);
	@key[(char)arg0, (short)arg1, arg2 & 0xff, arg0 >> 40, p == arg0] = count();
	@q = quantize((arg0 & 0xfff) - (p & 0xfff));
	@l = lquantize(arg0 % 7 - p % 7, 0, 7);
}
END
{
	normalize(@sum, p);
	normalize(@min, p);
	normalize(@max, p);
	normalize(@avg, p);
	printa(@sum);
	printa(@min);
	printa(@max);
	printa(@avg);
	printa("%@d\n", @key);
}
