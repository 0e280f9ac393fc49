/* args: -q */
/* ways: live */
/* copyin() reads the current process, which is dtrace: its arguments end with this file's name. */
char *p;
BEGIN
{
	this->end = curthread->mm->arg_end;
	this->p = (char *)copyin(this->end - 9, 9);
	printf("%s %c %d\n", stringof(this->p), this->p[6], this->p[8]);
	n = 5;
	printf("%s\n", stringof(copyin(this->end - n, n)));
	p = alloca(16);
	copyinto(this->end - 9, 9, p);
	copyinto(this->end - n, n, p + 8);
	printf("%s\n", stringof(p));
}
BEGIN { copyin(0, 8); printf("no\n"); }
BEGIN { copyinto(0, n, alloca(8)); printf("no\n"); }
BEGIN { copyin(this->end - 9, 5000); printf("no\n"); }
BEGIN { copyinto(this->end - 9, 9, NULL); printf("no\n"); }
BEGIN { exit(0); }
