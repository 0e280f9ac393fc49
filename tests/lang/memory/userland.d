/* args: -q */
/* ways: live */
/*
 * Reads objects of the current process through typed pointers. The process is dtrace, and its last
 * argument is the name of this file. dtrace copies in the objects, and the objects that they point
 * to. No program can write to them.
 */
struct name { char first[4]; char rest[7]; };
struct argv { long argc; char *arg[2]; };
userland char *p;
userland struct name *n;
BEGIN
{
	p = (userland char *)(curthread->mm->arg_end - 11);
	n = (userland struct name *)p;
	printf("%c%c %d %s\n", *p, p[1], p[10], stringof(p));
	i = 3;
	printf("%c %s %s\n", p[i], stringof(p + 4), stringof(n->rest));
	printf("%s %d %d\n", stringof(&n->rest[4]), *(userland short *)p == ('s' << 8 | 'u'), strlen(p));
	this->v = (userland struct argv *)curthread->mm->start_stack;
	printf("%d %s\n", this->v->argc, stringof(this->v->arg[1]));
	this->copy = *n;
	printf("%s %d\n", this->copy.rest, p == "userland.d");
}
BEGIN { p = NULL; printf("not shown %d", *p); }
BEGIN { n = NULL; printf("not shown %s", n->rest); }
BEGIN { printf("not shown %s", stringof((userland char *)16)); }
BEGIN { p = NULL; *p = 1; printf("not shown"); }
BEGIN { exit(0); }
