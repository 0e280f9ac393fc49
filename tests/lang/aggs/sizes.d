/* args: -q */
/* Values of 40 sizes in one clause. */
BEGIN
{
	@l0["k", 0] = lquantize(0, 0, 40, 1);
	@l1["k", 1] = lquantize(1, 0, 43, 1);
	@l2["k", 2] = lquantize(2, 0, 46, 1);
	@l3["k", 3] = lquantize(3, 0, 49, 1);
	@l4["k", 4] = lquantize(4, 0, 52, 1);
	@l5["k", 5] = lquantize(5, 0, 55, 1);
	@l6["k", 6] = lquantize(6, 0, 58, 1);
	@l7["k", 7] = lquantize(7, 0, 61, 1);
	@l8["k", 8] = lquantize(8, 0, 64, 1);
	@l9["k", 9] = lquantize(9, 0, 67, 1);
	@l10["k", 10] = lquantize(10, 0, 70, 1);
	@l11["k", 11] = lquantize(11, 0, 73, 1);
	@l12["k", 12] = lquantize(12, 0, 76, 1);
	@l13["k", 13] = lquantize(13, 0, 79, 1);
	@l14["k", 14] = lquantize(14, 0, 82, 1);
	@l15["k", 15] = lquantize(15, 0, 85, 1);
	@l16["k", 16] = lquantize(16, 0, 88, 1);
	@l17["k", 17] = lquantize(17, 0, 91, 1);
	@l18["k", 18] = lquantize(18, 0, 94, 1);
	@l19["k", 19] = lquantize(19, 0, 97, 1);
	@l20["k", 20] = lquantize(20, 0, 100, 1);
	@l21["k", 21] = lquantize(21, 0, 103, 1);
	@l22["k", 22] = lquantize(22, 0, 106, 1);
	@l23["k", 23] = lquantize(23, 0, 109, 1);
	@l24["k", 24] = lquantize(24, 0, 112, 1);
	@l25["k", 25] = lquantize(25, 0, 115, 1);
	@l26["k", 26] = lquantize(26, 0, 118, 1);
	@l27["k", 27] = lquantize(27, 0, 121, 1);
	@l28["k", 28] = lquantize(28, 0, 124, 1);
	@l29["k", 29] = lquantize(29, 0, 127, 1);
	@l30["k", 30] = lquantize(30, 0, 130, 1);
	@l31["k", 31] = lquantize(31, 0, 133, 1);
	@l32["k", 32] = lquantize(32, 0, 136, 1);
	@l33["k", 33] = lquantize(33, 0, 139, 1);
	@l34["k", 34] = lquantize(34, 0, 142, 1);
	@l35["k", 35] = lquantize(35, 0, 145, 1);
	@l36["k", 36] = lquantize(36, 0, 148, 1);
	@l37["k", 37] = lquantize(37, 0, 151, 1);
	@l38["k", 38] = lquantize(38, 0, 154, 1);
	@l39["k", 39] = lquantize(39, 0, 157, 1);
	exit(0);
}
