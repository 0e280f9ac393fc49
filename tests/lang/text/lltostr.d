/* A number converted to text where its characters are needed: in every base, in parts, stored. */
#pragma D option quiet
int64_t n;
int base;
string s;

BEGIN
{
	n = -255;
	base = 2;
	s = lltostr(n);                      printf("%s %d\n", s, strlen(s));
	s = lltostr(n, 16);                  printf("%s %d\n", s, strlen(s));
	s = lltostr(255, 8);                 printf("%s %d\n", s, strlen(s));
	s = lltostr(n, base);                printf("%s\n%d\n", s, strlen(s));
	s = lltostr(35 * 36 + 11, base + 34); printf("%s\n", s);
	s = lltostr(n - n);                  printf("%s %s %s\n", s, strjoin("x", lltostr(n - n, 16)), lltostr(n - n, base));
	s = lltostr(0x8000000000000000);     printf("%s %d\n", s, s == "-9223372036854775808");
	s = lltostr(0x7fffffffffffffff);     printf("%s\n", s);
	printf("%d %d\n", lltostr(n, 16) == "0xffffffffffffff01", lltostr(n, 10) < lltostr(n, base + 8 - 2));
	printf("%s\n", substr(lltostr(123456789), 3, 4));
	exit(0);
}
