/*
 * Attaches to a process that does not exist yet. It runs itself twice: to wait for the process,
 * then to look at it. The test's version prints the second command instead of stopping the process
 * and running it.
 */
#pragma D option destructive
#define ETC_PREFIX "/etc/"
#define ARGS "cat /etc/hostname"

#ifndef READY_TO_ATTACH
syscall::openat:entry
/curpsinfo->pr_psargs == ARGS && arg1 != NULL && \
    substr(copyinstr(arg1), 0, (sizeof(ETC_PREFIX) - 1)) == ETC_PREFIX/
{
	self->path = copyinstr(arg1);
}

syscall::openat:return
/self->path != ""/
{
	self->fd[arg1] = 1;
	self->path = 0;
}

syscall::read:entry
/self->fd[arg0]/
{
	self->fd[arg0] = 0;
	system("echo dtrace -C -D READY_TO_ATTACH -p %d -s %s", pid, DTRACE_SCRIPT);
}
#else
syscall::read:entry
/pid == $target/
{
	1;
}

syscall::exit_group:entry
/pid == $target/
{
	printf("attached\n");
	exit(0);
}
#endif
