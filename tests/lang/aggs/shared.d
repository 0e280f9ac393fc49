/* args: -q */
/*
 * 100 aggregations with keys in one clause. A program in the kernel may have 64 maps, so
 * aggregations of one shape share maps. clear() and trunc() act on one aggregation only.
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
	@a48[3, 4, "b"] = count();
	@a49[3, 4, "b"] = sum(49);
	@a50[3, 4, "b"] = avg(50);
	@a51[3, 4, "b"] = min(51);
	@a52[3, 4, "b"] = max(52);
	@a53[3, 4, "b"] = stddev(53);
	@a54[3, 4, "b"] = quantize(54);
	@a55[3, 4, "b"] = lquantize(55, 0, 100, 50);
	@a56["x"] = count();
	@a57["x"] = sum(57);
	@a58["x"] = avg(58);
	@a59["x"] = min(59);
	@a60["x"] = max(60);
	@a61["x"] = stddev(61);
	@a62["x"] = quantize(62);
	@a63["x"] = lquantize(63, 0, 100, 50);
	@a64[1] = count();
	@a65[1] = sum(65);
	@a66[1] = avg(66);
	@a67[1] = min(67);
	@a68[1] = max(68);
	@a69[1] = stddev(69);
	@a70[1] = quantize(70);
	@a71[1] = lquantize(71, 0, 100, 50);
	@a72["a", 2] = count();
	@a73["a", 2] = sum(73);
	@a74["a", 2] = avg(74);
	@a75["a", 2] = min(75);
	@a76["a", 2] = max(76);
	@a77["a", 2] = stddev(77);
	@a78["a", 2] = quantize(78);
	@a79["a", 2] = lquantize(79, 0, 100, 50);
	@a80[3, 4, "b"] = count();
	@a81[3, 4, "b"] = sum(81);
	@a82[3, 4, "b"] = avg(82);
	@a83[3, 4, "b"] = min(83);
	@a84[3, 4, "b"] = max(84);
	@a85[3, 4, "b"] = stddev(85);
	@a86[3, 4, "b"] = quantize(86);
	@a87[3, 4, "b"] = lquantize(87, 0, 100, 50);
	@a88["x"] = count();
	@a89["x"] = sum(89);
	@a90["x"] = avg(90);
	@a91["x"] = min(91);
	@a92["x"] = max(92);
	@a93["x"] = stddev(93);
	@a94["x"] = quantize(94);
	@a95["x"] = lquantize(95, 0, 100, 50);
	@a96[1] = count();
	@a97[1] = sum(97);
	@a98[1] = avg(98);
	@a99[1] = min(99);
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
