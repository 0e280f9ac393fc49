/* args: -q */
/* As in POSIX, basename() and dirname() ignore trailing slashes, and an empty path is ".". */
BEGIN
{
	p = "/usr/lib//dtrace/";
	printf("[%s] [%s]\n", basename(p), dirname(p));
	p = "tcp.d";
	printf("[%s] [%s]\n", basename(p), dirname(p));
	p = "/vmlinux";
	printf("[%s] [%s]\n", basename(p), dirname(p));
	p = "a//b";
	printf("[%s] [%s]\n", basename(p), dirname(p));
	p = "dir/";
	printf("[%s] [%s]\n", basename(p), dirname(p));
	p = "///";
	printf("[%s] [%s]\n", basename(p), dirname(p));
	p = "";
	printf("[%s] [%s]\n", basename(p), dirname(p));
	p = "//x//y//";
	printf("[%s] [%s]\n", basename(p), dirname(p));
	printf("[%s] [%s] [%s] [%s]\n", basename("/a/b"), dirname("/a/b"), basename(""), dirname("/"));
	printf("[%s]\n", basename(dirname(dirname("/usr/share/doc/gcc"))));
	exit(0);
}
