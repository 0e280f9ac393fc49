#!/usr/bin/env -S dtrace -s
/*
 * offcpuflame.d - where threads wait, off the CPU, as a flame graph.
 *
 * usage: dtrace offcpuflame [SECONDS] >FILE.svg
 *
 * Times are microseconds from the moment when a thread leaves the CPU until the thread has a CPU
 * again. The graph shows them by the place where the thread left the CPU: the process's stack, and
 * above it the kernel's stack. Threads that still wait at the end are left out. Ends after SECONDS
 * or with Ctrl-C. Open the file in a browser.
 *
 * The script reads the stacks of a thread when the thread runs again. It uses a tracepoint from
 * Linux 6.15 or so, and a kernel function before. The process's stack can be read there, but not in
 * the probe on-cpu of some kernels.
 *
 * With -x slower=10ms, the script counts only waits that were 10 ms or longer.
 *
 * Live only. -x oformat=folded prints a line for each stack, for other tools:
 *
 *	sleep;libc.so.6`clock_nanosleep;vmlinux`do_nanosleep;vmlinux`schedule 1000072
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
/self->left && timestamp - self->left >= slower/
{
	@waited[execname, ustack(), stack()] = sum((timestamp - self->left) / 1000);
}

rawtp:::sched_exit_tp,
fbt::finish_task_switch*:entry
{
	self->left = 0;
}

tick-1s
/$1 && ++seconds >= $1/
{
	exit(0);
}
