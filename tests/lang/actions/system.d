/* args: -qw -x confine=off */
/* Commands run in order: earlier printed text comes before their output. */
BEGIN
{
	n = 7;
	s = "two words";
	printf("before\n");
	system("echo '%s' '%5d|%x'", s, n, 255);
	printf("between\n");
	system("printf '%%s\\n' %s; exit 3", probename);
	system("kill -s PIPE $$; echo not killed by a pipe");
	printf("after\n");
	exit(0);
}
