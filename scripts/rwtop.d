#!/usr/bin/env -S dtrace -s
/*
 * rwtop.d - every second, the processes that read and wrote most bytes.
 *
 * usage: dtrace rwtop [HOW-MANY [SECONDS [TIMES]]]
 *
 * Shows the HOW-MANY (10) largest, every SECONDS (1) seconds. Ends after TIMES times or with
 * Ctrl-C.
 *
 * Counts read(2), write(2) and similar calls, on files, sockets and everything else. Does not count
 * calls such as recv(2) and send(2). A second without reads and writes has no lines below its time.
 *
 * Live only.
 *
 *	   PID COMMAND          D       BYTES
 *	2026 Jan 12 22:13:21
 *	 13512 dd               W     4096000
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortrev
#pragma D option live

inline int N = strtoll($$1) ? strtoll($$1) : 10;
inline int SECONDS = strtoll($$2) ? strtoll($$2) : 1;
inline int TIMES = strtoll($$3);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2] || !GIVEN[$$3];

int seconds, some, shown;

BEGIN
/WRONG/
{
	printf("usage: dtrace rwtop [HOW-MANY [SECONDS [TIMES]]]\n");
	exit(1);
}

sysinfo:::readch
/pid != $pid/
{
	this->direction = "R";
	@bytes[pid, execname, this->direction] = sum(arg0);
	some = 1;
}

sysinfo:::writech
/pid != $pid/
{
	this->direction = "W";
	@bytes[pid, execname, this->direction] = sum(arg0);
	some = 1;
}

tick-1s, END
{
	this->due = probename == "END" ? some && (!TIMES || shown < TIMES) : ++seconds >= SECONDS;
}

/* Prints the heading at the start, to show that the script runs, and above later intervals. */
BEGIN, tick-1s, END
/probename == "BEGIN" || (this->due && shown)/
{
	printf("%6s %-16s %s %11s\n", "PID", "COMMAND", "D", "BYTES");
}

tick-1s, END
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@bytes, N);
	printf("%Y\n", walltimestamp);
	printa("%6d %-16S %s %@11d\n", @bytes);
	trunc(@bytes);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
