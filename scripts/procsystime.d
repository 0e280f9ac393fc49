#!/usr/bin/env -S dtrace -s
/*
 * procsystime.d - how often a process calls the kernel, for what, and for how long.
 *
 * usage: procsystime.d -c COMMAND, or -p PID
 *
 * Microseconds; what a call sleeps is in them.  Live only.
 *
 *	CALL                    COUNT     TIME(us)      MEAN(us)
 *	read                       12          340            28
 */
#pragma D option quiet
#pragma D option aggsortrev

syscall:::entry
/pid == $target/
{
	self->since = timestamp;
}

syscall:::return
/self->since/
{
	this->us = (timestamp - self->since) / 1000;
	@time[probefunc] = sum(this->us);
	@calls[probefunc] = count();
	@mean[probefunc] = avg(this->us);
	self->since = 0;
}

END
{
	printf("%-20s %8s %12s %13s\n", "CALL", "COUNT", "TIME(us)", "MEAN(us)");
	printa("%-20s %@8d %@12d %@13d\n", @calls, @time, @mean);
}
