#!/usr/bin/env -S dtrace -s
/*
 * softirqs.d - how long softirqs wait until they run, and how long they run, by vector.
 *
 * usage: dtrace softirqs [SECONDS [TIMES]] [cpu]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C. With the argument cpu, the script prints
 * each CPU separately.
 *
 * A run lasts from the entry of the vector's handler to its exit. It includes interrupts that the
 * CPU handles during the run. A wait lasts from the moment when the vector is raised to the entry.
 * If a vector is raised several times before the entry, the first time counts. If a vector is
 * raised while its handler runs, the wait for the next run begins at that moment.
 *
 * RAISED is the number of runs with a known wait. It can be smaller than RUNS. The kernel collects
 * the raised vectors and then runs them in turn. If another handler raises a vector that has been
 * collected and waits for its turn, the vector runs twice. The wait of the second run is unknown.
 *
 * With -x slower=10ms, shorter runs and shorter waits are not counted.
 *
 * Live only.
 *
 *	NET_RX, wait (ns)
 *	           value  ------------- Distribution ------------- count
 *	             512 |                                         0
 *	            1024 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           96
 *	            2048 |@@@@@@@@@@                               32
 *	            4096 |                                         0
 *
 *	SOFTIRQ      RUNS  TOTAL(us) MEAN(ns)   MAX(ns)  RAISED WAIT(ns)   MAX(ns)
 *	NET_RX        128       1101     8601     61200     128     1912      3900
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option live

inline int BY_CPU = $$1 == "cpu" || $$2 == "cpu" || $$3 == "cpu";
inline int SECONDS = strtoll($$1);
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || s == "cpu" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2] || !GIVEN[$$3] || $$1 == "cpu" && $$2 != "" ||
    $$2 == "cpu" && $$3 != "" || $$3 != "" && $$3 != "cpu";

inline string VECTOR[uint32_t n] = n == HI_SOFTIRQ ? "HI" : n == TIMER_SOFTIRQ ? "TIMER" :
    n == NET_TX_SOFTIRQ ? "NET_TX" : n == NET_RX_SOFTIRQ ? "NET_RX" : n == BLOCK_SOFTIRQ ? "BLOCK" :
    n == IRQ_POLL_SOFTIRQ ? "IRQ_POLL" : n == TASKLET_SOFTIRQ ? "TASKLET" : n == SCHED_SOFTIRQ ? "SCHED" :
    n == HRTIMER_SOFTIRQ ? "HRTIMER" : n == RCU_SOFTIRQ ? "RCU" : "<unknown>";
inline int CPU = BY_CPU ? cpu : 0; /* key of the aggregations */

int seconds, some, shown;

BEGIN
/WRONG/
{
	printf("usage: dtrace softirqs [SECONDS [TIMES]] [cpu]\n");
	exit(1);
}

BEGIN
{
	printf("%s\n", "Timing softirqs until Ctrl-C.");
}

/* A softirq runs on the CPU that raised the softirq. So no two CPUs use one entry of an array. */
rawtp:::softirq_raise
/!raised[cpu, args[0]]/
{
	raised[cpu, args[0]] = timestamp;
}

rawtp:::softirq_entry
{
	this->since = raised[cpu, args[0]];
	this->wait = timestamp - this->since;
	this->known = this->since && this->wait >= slower;
	raised[cpu, args[0]] = 0;
}

rawtp:::softirq_entry
/this->known/
{
	@waits[VECTOR[args[0]], CPU] = quantize(this->wait);
	@raises[VECTOR[args[0]], CPU] = count();
	@meanwait[VECTOR[args[0]], CPU] = avg(this->wait);
	@mostwait[VECTOR[args[0]], CPU] = max(this->wait);
	some = 1;
}

/* This clause is the last, so that the run does not include the time of the clauses above. */
rawtp:::softirq_entry
{
	entered[cpu, args[0]] = timestamp;
}

rawtp:::softirq_exit
{
	this->since = entered[cpu, args[0]];
	this->run = timestamp - this->since;
	this->known = this->since && this->run >= slower;
	entered[cpu, args[0]] = 0;
}

rawtp:::softirq_exit
/this->known/
{
	@times[VECTOR[args[0]], CPU] = quantize(this->run);
	@runs[VECTOR[args[0]], CPU] = count();
	@total_us[VECTOR[args[0]], CPU] = sum(this->run);
	@mean[VECTOR[args[0]], CPU] = avg(this->run);
	@most[VECTOR[args[0]], CPU] = max(this->run);
	some = 1;
}

BEGIN
{
	normalize(@total_us, 1000);
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
/this->due && BY_CPU/
{
	printa("%s, CPU %d, wait (ns)%@d\n", @waits);
	printa("%s, CPU %d, run (ns)%@d\n", @times);
	printf("%-9s %3s %7s %10s %8s %9s %7s %8s %9s\n", "SOFTIRQ", "CPU", "RUNS", "TOTAL(us)", "MEAN(ns)",
	    "MAX(ns)", "RAISED", "WAIT(ns)", "MAX(ns)");
	printa("%-9s %3d %@7d %@10d %@8d %@9d %@7d %@8d %@9d\n", @runs, @total_us, @mean, @most, @raises, @meanwait,
	    @mostwait);
}

tick-1s, END
/this->due && !BY_CPU/
{
	printa("%s, wait (ns)%@d\n", @waits);
	printa("%s, run (ns)%@d\n", @times);
	printf("%-9s %7s %10s %8s %9s %7s %8s %9s\n", "SOFTIRQ", "RUNS", "TOTAL(us)", "MEAN(ns)", "MAX(ns)",
	    "RAISED", "WAIT(ns)", "MAX(ns)");
	printa("%-9s %@7d %@10d %@8d %@9d %@7d %@8d %@9d\n", @runs, @total_us, @mean, @most, @raises, @meanwait,
	    @mostwait);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@waits);
	trunc(@raises);
	trunc(@meanwait);
	trunc(@mostwait);
	trunc(@times);
	trunc(@runs);
	trunc(@total_us);
	trunc(@mean);
	trunc(@most);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
