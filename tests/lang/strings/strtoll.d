/* args: -q */
/* strtoll() reads blanks, a sign, "0x" in base 16, then as many digits as follow. */
BEGIN
{
	s = " \t-42x";
	h = "0xFFg";
	printf("%d %d %d %d\n", strtoll(s), strtoll("+17"), strtoll(""), strtoll("none"));
	printf("%d %d %d %d\n", strtoll(h, 16), strtoll(h), strtoll("0x", 16), strtoll("-0x10", 16));
	printf("%d %d %d %d\n", strtoll("777", 8), strtoll("10102", 2), strtoll("zZ", 36), strtoll("9", 9));
	printf("%d %d\n", strtoll("9223372036854775807"), strtoll("-9223372036854775808"));
	printf("%d\n", strtoll("18446744073709551617"));
	printf("%d\n", strtoll(lltostr(-123456)) + 1);
}
BEGIN { trace(strtoll("1", 1)); }
BEGIN { b = 37; trace(strtoll("1", b)); }
BEGIN { exit(0); }
