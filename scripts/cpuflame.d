#!/usr/bin/env -S dtrace -s
/*
 * cpuflame.d - where CPUs spend their time, as a flame graph.
 *
 * usage: dtrace cpuflame [SECONDS] >FILE.svg
 *
 * Samples each CPU 997 times a second: which process runs, its stack, and above it the kernel's
 * stack. Ends after SECONDS or with Ctrl-C. Open the file in a browser.
 *
 * Live only. -x oformat=folded prints a line for each stack, for other tools:
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
