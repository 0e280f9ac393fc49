/* args: -q -x aggrate=500000 */
/* Zero is "0" in base 8, and "0x0" in base 16. A rate without a unit is in nanoseconds. */
BEGIN
{
	n = 0;
	printf("%s %s %s %s\n", lltostr(0, 8), lltostr(n, 16), lltostr(8, 8), lltostr(n));
	printf("%d %d %s\n", strlen(lltostr(n, 8)), lltostr(n, 8) == "0", strjoin(lltostr(n, 8), "x"));
	exit(0);
}
