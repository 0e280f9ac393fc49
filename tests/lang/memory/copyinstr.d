/* args: -q */
/* ways: live */
/* copyinstr() reads the current process, which is dtrace: its arguments end with this file's name. */
BEGIN
{
	this->end = curthread->mm->arg_end;
	printf("[%s] [%s] [%s] [%s]\n", copyinstr(this->end - 12), copyinstr(this->end - 12, 5),
	    copyinstr(this->end - 12, 1), copyinstr(this->end - 12, 300));
	s = copyinstr(this->end - 12);
	@[copyinstr(this->end - 2)] = count();
	printf("%d %d %s\n", strlen(s), s == "copyinstr.d", substr(copyinstr(this->end - 12), 4, 5));
	printf("%d\n", copyinstr(this->end - 12, 0) == "");
	n = 3;
	printf("%s %s\n", copyinstr(this->end - 12, n), copyinstr(this->end - 12, -n));
}
BEGIN { trace(copyinstr(0)); printf("no\n"); }
BEGIN { exit(0); }
