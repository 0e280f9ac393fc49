/* args: -q */
/* A condition is any scalar: integers, pointers, comparisons of strings. */
BEGIN
{
	p = (int *)NULL;
	c = 'a';
	s = "abc";
	big = 1LL << 40;
	if (p) printf("p\n"); else printf("no p\n");
	if (!p) printf("NULL\n");
	if (curthread) printf("thread\n"); else printf("thread\n");
	if (c) printf("c\n");
	if (big) printf("big\n");
	if ((int)big) printf("wrong\n"); else printf("cut\n");
	if (s == "abc") printf("abc\n");
	if (s < "abb") printf("wrong\n"); else if (s > "abb") printf("behind\n");
	if (s != NULL && strlen(s) == 3) printf("long\n");
	if (c == 'a' ? 0 : 1) printf("wrong\n"); else printf("chosen\n");
	if (1 ^^ 1) printf("wrong\n"); else printf("xor\n");
	if (c, 0) printf("wrong\n"); else printf("comma\n");
	exit(0);
}
