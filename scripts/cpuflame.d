#!/usr/bin/env -S dtrace -s
/*
 * cpuflame.d - where the time of CPUs goes, as a flame graph.
 *
 * usage: dtrace cpuflame [SECONDS] >FILE.svg
 *
 * 997 times a second on each CPU, who runs and where: the process's stack, and above it the
 * kernel's.  Until Ctrl-C, or for so many seconds.  A browser shows the file; with
 * -x oformat=folded there is a line a stack for other tools:
 *
 *	dd;libc.so.6`read;vmlinux`do_syscall_64;vmlinux`ksys_read;vmlinux`vfs_read 93
 */
#pragma D option quiet
#pragma D option live
#pragma D option defaultargs
#pragma D option oformat=flame
#pragma D option unit=samples

profile-997
/pid/
{
	@cpu[execname, ustack(), stack()] = count();
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}
