#!/usr/bin/env -S dtrace -s
/*
 * offcpu.d - what a process waits for: where it leaves the CPU, and for how long.
 *
 * usage: offcpu.d -c COMMAND, or -p PID
 *
 * Microseconds by stack of the kernel; with -x oformat=flame a picture of them.  Live only.
 *
 *	              vmlinux`schedule+0x27
 *	              vmlinux`do_nanosleep+0x5d
 *	              vmlinux`hrtimer_nanosleep+0x9e
 *	           100084
 */
#pragma D option quiet

sched:::off-cpu
/pid == $target/
{
	self->since = timestamp;
}

sched:::on-cpu
/self->since/
{
	@[stack()] = sum((timestamp - self->since) / 1000);
	self->since = 0;
}

END
{
	printa("%k%@17d\n", @);
}
