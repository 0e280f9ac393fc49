/*
 * Attaches to a process that does not exist yet. The script runs twice: first it waits for the
 * process, and then it traces the process. This version prints the command of the second run; the
 * published one stops the process and runs that command.
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
