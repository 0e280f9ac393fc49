/* args: -q */
/* A start and a length count from the front, or from the end if they are negative. */
BEGIN
{
	s = "abcdefghij";
	e = "";
	one = 1;
	printf("[%s] [%s] [%s] [%s]\n", substr(s, 0), substr(s, 3), substr(s, 9), substr(s, 10));
	printf("[%s] [%s] [%s] [%s]\n", substr(s, 2, 3), substr(s, 8, 5), substr(s, 0, 0), substr(s, 11, 1));
	printf("[%s] [%s] [%s] [%s]\n", substr(s, -3), substr(s, -3, 2), substr(s, -10, 1), substr(s, -11, 2));
	printf("[%s] [%s] [%s] [%s]\n", substr(s, 2, -3), substr(s, -4, -1), substr(s, 0, -10), substr(s, 5, -6));
	printf("[%s] [%s] [%s] [%s]\n", substr(s, -20), substr(s, -20, 12), substr(s, -20, 10), substr(s, -11, -1));
	printf("[%s] [%s] [%s]\n", substr(e, 0), substr(e, -1), substr(e, 0, 1));
	printf("[%s] [%s] [%s]\n", substr("abcdefghij", 2, 3), substr("abcdefghij", -3, 2), substr("", 1));
	printf("[%s] [%s]\n", substr(s, one << 40), substr(s, -(one << 40), one << 39));
	printf("[%s] [%s]\n", substr(s, 1, one << 40), substr(s, 1, -(one << 40)));
	printf("[%s]\n", substr(substr(s, 2), 1, 3));
	exit(0);
}
