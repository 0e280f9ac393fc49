#!/usr/bin/env -S dtrace -s
/*
 * procsystime.d - system calls of a process: how many, and how long they took.
 *
 * usage: dtrace procsystime -c COMMAND, or -p PID [SECONDS [TIMES]]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C.
 *
 * Times are in microseconds, and include the time that a call sleeps. Calls that do not return,
 * such as exit_group(), are not counted.
 *
 * With -x slower=10ms, the script counts only calls that took 10 ms or longer.
 *
 * Live only.
 *
 *	CALL                    COUNT     TIME(us)      MEAN(us)
 *	read                       12          340            28
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortrev
#pragma D option live

inline int SECONDS = strtoll($$1);
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2];

int seconds, some, shown;

BEGIN
/WRONG/
{
	printf("usage: dtrace procsystime -c COMMAND, or -p PID [SECONDS [TIMES]]\n");
	exit(1);
}

BEGIN
{
	printf("%s\n", "Timing system calls until Ctrl-C or the end of the process.");
}

syscall:::entry
/pid == $target/
{
	self->since = timestamp;
}

syscall:::return
/self->since && timestamp - self->since >= slower/
{
	this->us = (timestamp - self->since) / 1000;
	@time[probefunc] = sum(this->us);
	@calls[probefunc] = count();
	@mean[probefunc] = avg(this->us);
	some = 1;
}

syscall:::return
/self->since/
{
	self->since = 0;
}

/* Sets this->due when it is time to print: every SECONDS seconds, and at the end. */
tick-1s, END
{
	this->due = probename == "END" ? !WRONG && (!SECONDS || some) && (!TIMES || shown < TIMES) :
	    SECONDS && ++seconds >= SECONDS;
}

tick-1s, END
/this->due && SECONDS/
{
	printf("%Y\n", walltimestamp);
}

tick-1s, END
/this->due/
{
	printf("%-20s %8s %12s %13s\n", "CALL", "COUNT", "TIME(us)", "MEAN(us)");
	printa("%-20s %@8d %@12d %@13d\n", @calls, @time, @mean);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@time);
	trunc(@calls);
	trunc(@mean);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
