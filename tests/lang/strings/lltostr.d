/* args: -q */
/* lltostr() writes a sign in base 10 only, and C's prefixes in bases 8 and 16. */
BEGIN
{
	n = 255;
	m = -1;
	b = 16;
	printf("%s %s %s %s\n", lltostr(n), lltostr(m), lltostr(n, 16), lltostr(n, 8));
	printf("%s %s %s\n", lltostr(n, 2), lltostr(m, 16), lltostr(35, 36));
	s = lltostr(n, b);
	t = strjoin(lltostr(m, 2), "");
	printf("%s %d %d\n", s, strlen(t), s == "0xff");
	printf("%d %d %d\n", strlen(lltostr(m, 8)), lltostr(n, 2) == "11111111", lltostr(n, b) < "0xfg");
	printf("%s %s\n", strjoin(lltostr(0, 16), lltostr(0, 8)), strjoin(lltostr(0, 2), lltostr(m, 10)));
	printf("%s %s\n", toupper(lltostr(3054, b)), substr(lltostr(-9223372036854775807 - 1, b - 6), 1, 4));
	a[lltostr(n, 16)] = 1;
	printf("%d\n", a["0xff"]);
}
BEGIN { trace(strlen(lltostr(n, 37))); }
BEGIN { exit(0); }
