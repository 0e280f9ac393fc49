/* args: -q */
/*
 * 48 aggregations with keys in one clause. clear() and trunc() act on one aggregation only.
 */
BEGIN
{
	@a0[1] = count();
	@a1[1] = sum(1);
	@a2[1] = avg(2);
	@a3[1] = min(3);
	@a4[1] = max(4);
	@a5[1] = stddev(5);
	@a6[1] = quantize(6);
	@a7[1] = lquantize(7, 0, 100, 50);
	@a8["a", 2] = count();
	@a9["a", 2] = sum(9);
	@a10["a", 2] = avg(10);
	@a11["a", 2] = min(11);
	@a12["a", 2] = max(12);
	@a13["a", 2] = stddev(13);
	@a14["a", 2] = quantize(14);
	@a15["a", 2] = lquantize(15, 0, 100, 50);
	@a16[3, 4, "b"] = count();
	@a17[3, 4, "b"] = sum(17);
	@a18[3, 4, "b"] = avg(18);
	@a19[3, 4, "b"] = min(19);
	@a20[3, 4, "b"] = max(20);
	@a21[3, 4, "b"] = stddev(21);
	@a22[3, 4, "b"] = quantize(22);
	@a23[3, 4, "b"] = lquantize(23, 0, 100, 50);
	@a24["x"] = count();
	@a25["x"] = sum(25);
	@a26["x"] = avg(26);
	@a27["x"] = min(27);
	@a28["x"] = max(28);
	@a29["x"] = stddev(29);
	@a30["x"] = quantize(30);
	@a31["x"] = lquantize(31, 0, 100, 50);
	@a32[1] = count();
	@a33[1] = sum(33);
	@a34[1] = avg(34);
	@a35[1] = min(35);
	@a36[1] = max(36);
	@a37[1] = stddev(37);
	@a38[1] = quantize(38);
	@a39[1] = lquantize(39, 0, 100, 50);
	@a40["a", 2] = count();
	@a41["a", 2] = sum(41);
	@a42["a", 2] = avg(42);
	@a43["a", 2] = min(43);
	@a44["a", 2] = max(44);
	@a45["a", 2] = stddev(45);
	@a46["a", 2] = quantize(46);
	@a47["a", 2] = lquantize(47, 0, 100, 50);
}

BEGIN
{
	clear(@a1);
	trunc(@a9);
	clear(@a17);
	trunc(@a6);
	exit(0);
}

END
{
	@a9["a", 7] = sum(5);
	@a17[3, 4, "b"] = sum(6);
	@a17[3, 5, "z"] = sum(7);
}
