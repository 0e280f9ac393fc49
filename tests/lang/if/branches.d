/* args: -q */
/* Exactly the branch whose condition holds runs; a statement or a block, with or without else. */
BEGIN
{
	x = 3;
	if (x == 3)
		printf("three\n");
	if (x == 4)
		printf("four\n");
	if (x > 3) {
		printf("more\n");
	} else {
		printf("not more\n");
	}
	if (x < 3) printf("less\n"); else if (x == 3) printf("same\n"); else printf("no\n");
	if (0) printf("never\n"); else printf("else\n");
	if (1) { printf("always\n") } else { printf("never\n") }
	exit(0);
}
