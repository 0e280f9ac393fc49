#!/usr/bin/env -S dtrace -s
/*
 * runqlen.d - length of the run queues, and how long threads wait for a CPU.
 *
 * usage: dtrace runqlen [SECONDS [TIMES]]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C.
 *
 * The first histograms show how many threads were waiting for each CPU when a thread arrived; this
 * thread counts too. They leave out threads that arrived before the script began. The last
 * histogram shows the waiting times in microseconds.
 *
 * With -x slower=10ms, the last histogram has only waits that were 10 ms or longer.
 *
 * Live only.
 *
 *	CPU 0
 *	           value  ------------- Distribution ------------- count
 *	             < 1 |                                         0
 *	               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@         32
 *	               2 |@@@@@@@@                                 8
 *	               3 |                                         0
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
	printf("usage: dtrace runqlen [SECONDS [TIMES]]\n");
	exit(1);
}

BEGIN
{
	printf("%s\n", "Watching run queues until Ctrl-C.");
}

sched:::enqueue
{
	this->cpu = args[2]->cpu_id;
	waiting[this->cpu]++;
	@length[this->cpu] = lquantize(waiting[this->cpu], 1, 64, 1);
	since[args[0]->pr_lwpid] = timestamp;
	some = 1;
}

sched:::dequeue
/since[args[0]->pr_lwpid]/
{
	waiting[args[2]->cpu_id]--;
	this->ns = timestamp - since[args[0]->pr_lwpid];
	this->known = this->ns >= slower;
	since[args[0]->pr_lwpid] = 0;
}

sched:::dequeue
/this->known/
{
	@waits = quantize(this->ns / 1000);
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
	printa("CPU %d%@d\n", @length);
	printa("Waited (us)%@d\n", @waits);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@length);
	trunc(@waits);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
