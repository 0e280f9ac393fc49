#!/usr/bin/env -S dtrace -s
/*
 * bpftop.d - every second, the BPF programs that took most CPU time.
 *
 * usage: dtrace bpftop [HOW-MANY [SECONDS [TIMES]]]
 *
 * Shows the HOW-MANY (10) largest, every SECONDS (1) seconds. Ends after TIMES times or with
 * Ctrl-C.
 *
 * EVENTS/S is how often a program ran in a second, NS is the time of one run, %CPU its share of one
 * CPU. A program that was unloaded within an interval is not shown for that interval. The script
 * itself is shown as dt_bpf_prog.
 *
 * The kernel measures all BPF programs while the script runs, which makes each of their runs some
 * 50 ns longer.
 *
 * Live only.
 *
 *	     ID TYPE            NAME               EVENTS/S        NS    %CPU
 *	2026 Jan 12 22:13:21
 *	     87 TRACING         dt_sys_enter         412034        81    3.33
 *	    112 SCHED_CLS       cil_from_contai        9120       742    0.67
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortrev
#pragma D option bpfrate=1s
#pragma D option live

inline int N = strtoll($$1) ? strtoll($$1) : 10;
inline int SECONDS = strtoll($$2) ? strtoll($$2) : 1;
inline int TIMES = strtoll($$3);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);

/* For each program, the number of its runs and their nanoseconds when the last interval ended. */
uint64_t ran[uint32_t], took[uint32_t];

/*
 * iter:::bpf_prog visits all programs once a second; one such visit of all programs is a walk. walk
 * is the number of the current walk, began the start of the current interval, and elapsed the
 * duration of the last interval.
 */
uint64_t walk;
int64_t began, elapsed;

int walked, shown;

BEGIN
/!GIVEN[$$1] || !GIVEN[$$2] || !GIVEN[$$3]/
{
	printf("usage: dtrace bpftop [HOW-MANY [SECONDS [TIMES]]]\n");
	exit(1);
}

/* Prints the heading at the start, to show that the script runs, and above later intervals. */
BEGIN, tick-1s
/probename == "BEGIN" || (walked && shown)/
{
	printf("%7s %-15s %-15s %11s %9s %7s\n", "ID", "TYPE", "NAME", "EVENTS/S", "NS", "%CPU");
}

BEGIN
{
	walk = -1;
}

/* args[1] is the number of the walk. The first walk only records the state before an interval. */
iter:::bpf_prog
/args[1] != walk && args[1] % SECONDS == 0/
{
	elapsed = timestamp - began;
	began = timestamp;
}

iter:::bpf_prog
{
	walk = args[1];
}

iter:::bpf_prog
/walk && walk % SECONDS == 0/
{
	this->runs = args[0]->run_cnt - ran[args[0]->id];
	this->ns = args[0]->run_time_ns - took[args[0]->id];
	this->events = this->runs * 1000 / (elapsed / 1000000);
	this->each = this->runs ? this->ns / this->runs : 0;
	this->percent = this->ns * 100 / elapsed;
	this->hundredths = this->ns * 10000 / elapsed % 100;
	@programs[args[0]->id, bpf_prog_type_string[args[0]->type], args[0]->name, this->events,
	    this->each, this->percent, this->hundredths] = max(this->ns);
	walked = 1;
}

iter:::bpf_prog
/walk % SECONDS == 0/
{
	ran[args[0]->id] = args[0]->run_cnt;
	took[args[0]->id] = args[0]->run_time_ns;
}

tick-1s
/walked/
{
	walked = 0;
	shown++;
	trunc(@programs, N);
	printf("%Y\n", walltimestamp);
	printa("%7d %-15S %-15S %11d %9d %4d.%02d\n", @programs);
	trunc(@programs);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
