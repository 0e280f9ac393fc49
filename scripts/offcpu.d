#!/usr/bin/env -S dtrace -s
/*
 * offcpu.d - what a process waits for: kernel stacks, and how long it waited.
 *
 * usage: dtrace offcpu -c COMMAND, or -p PID [SECONDS [TIMES]]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C.
 *
 * Waits that have not ended, or that end with the thread, are not counted.
 *
 * Times are microseconds, by kernel stack. -x oformat=flame draws them as a flame graph.
 *
 * With -x slower=10ms, the script counts only waits that were 10 ms or longer.
 *
 * Live only.
 *
 *	              vmlinux`schedule+0x27
 *	              vmlinux`do_nanosleep+0x5d
 *	              vmlinux`hrtimer_nanosleep+0x9e
 *	           100084
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live

inline int SECONDS = strtoll($$1);
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2];

int seconds, some, shown;

BEGIN
/WRONG/
{
	printf("usage: dtrace offcpu -c COMMAND, or -p PID [SECONDS [TIMES]]\n");
	exit(1);
}

BEGIN
{
	printf("%s\n", "Timing waits until Ctrl-C or the end of the process.");
}

sched:::off-cpu
/pid == $target/
{
	self->since = timestamp;
}

sched:::on-cpu
/self->since && timestamp - self->since >= slower/
{
	@[stack()] = sum((timestamp - self->since) / 1000);
	some = 1;
}

sched:::on-cpu
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
	printa("%k%@17d\n", @);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
