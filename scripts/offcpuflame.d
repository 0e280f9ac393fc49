#!/usr/bin/env -S dtrace -s
/*
 * offcpuflame.d - where threads wait: the time that they are off the CPU, as a flame graph.
 *
 * usage: dtrace offcpuflame [SECONDS] >FILE.svg
 *
 * Microseconds from when a thread leaves the CPU until it has one again, by where it left: the
 * process's stack, and above it the kernel's.  Threads that still wait at the end are not in it.
 * What a thread runs first when it has a CPU again is a tracepoint, since Linux 6.15 or so, or else
 * a function: the process's stack is there, which at on-cpu it is not everywhere.
 * Until Ctrl-C, or for so many seconds.  A browser shows the file; with -x oformat=folded there
 * is a line a stack for other tools:
 *
 *	sleep;libc.so.6`clock_nanosleep;vmlinux`do_syscall_64;vmlinux`do_nanosleep;vmlinux`schedule 1000072
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option oformat=flame
#pragma D option unit=us
#pragma D option zdefs
#pragma D option live

sched:::off-cpu
/pid/
{
	self->left = timestamp;
}

rawtp:::sched_exit_tp,
fbt::finish_task_switch*:entry
/self->left/
{
	@waited[execname, ustack(), stack()] = sum((timestamp - self->left) / 1000);
	self->left = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}
