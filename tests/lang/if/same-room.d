/* args: -q */
/* Fields of different types and sizes in two branches, and fields after both. */
BEGIN, BEGIN
{
	i++;
	if (i == 1) {
		printf("%s %d\n", "one", (char)-1);
		if (i) printf("%d\n", 1LL << 33); else printf("%s\n", probename);
	} else {
		printf("%d %d %s\n", 258, (short)-2, "two");
	}
	printf("%x\n", 0x1122334455667788);
	if (i == 2) exit(0);
}
