#!/usr/bin/env -S dtrace -s
/*
 * runqlen.d - how many threads wait for a CPU when another one comes, and how long they wait.
 *
 * usage: runqlen.d
 *
 * The first is by CPU, as far as it was seen since the script began; the second is in microseconds.
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

sched:::enqueue
{
	this->cpu = args[2]->cpu_id;
	waiting[this->cpu]++;
	@length[this->cpu] = lquantize(waiting[this->cpu], 1, 64, 1);
	since[args[0]->pr_lwpid] = timestamp;
}

sched:::dequeue
/since[args[0]->pr_lwpid]/
{
	waiting[args[2]->cpu_id]--;
	@waits = quantize((timestamp - since[args[0]->pr_lwpid]) / 1000);
	since[args[0]->pr_lwpid] = 0;
}

END
{
	printa("CPU %d%@d\n", @length);
	printa("Waited (us)%@d\n", @waits);
}
