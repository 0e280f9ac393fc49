/* args: -q */
/* Works on the text alone: removes "." components, duplicate slashes, and the component before "..". */
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
