/* args: -q */
/* cleanpath() removes "." components, duplicate slashes, and ".." with the component before it. */
BEGIN
{
	p = "/usr//lib/./dtrace/../modules";
	printf("[%s]\n", cleanpath(p));
	p = "/a/b/c/../../d";
	printf("[%s]\n", cleanpath(p));
	p = "/a/b/..";
	printf("[%s]\n", cleanpath(p));
	p = "/a/..";
	printf("[%s]\n", cleanpath(p));
	p = "/../../etc";
	printf("[%s]\n", cleanpath(p));
	p = "/a/...//.b/..c/.";
	printf("[%s]\n", cleanpath(p));
	p = "./a/../b";
	printf("[%s]\n", cleanpath(p));
	p = "/a/./././b/";
	printf("[%s]\n", cleanpath(p));
	p = "";
	printf("[%s] [%s] [%s]\n", cleanpath(p), cleanpath("/"), cleanpath("////x"));
	printf("[%s]\n", cleanpath("/x/y/../z"));
	exit(0);
}
