#!/usr/bin/env -S dtrace -s
/*
 * iotop.d - every second, the processes that moved most bytes to and from disks.
 *
 * usage: dtrace iotop [HOW-MANY [SECONDS [TIMES]]]
 *
 * Shows the HOW-MANY (10) largest, every SECONDS (1) seconds. Ends after TIMES times or with
 * Ctrl-C.
 *
 * D is R (read), W (write) or D: the disk discards the bytes (TRIM) instead of moving them. A second
 * without requests has no lines below its time.
 *
 * Live only.
 *
 *	   PID COMMAND          D DEVICE           BYTES
 *	2026 Jan 12 22:13:21
 *	 13512 dd               W loop0          4096000
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
	printf("usage: dtrace iotop [HOW-MANY [SECONDS [TIMES]]]\n");
	exit(1);
}

io:::start
{
	this->direction = args[0]->b_flags & B_READ ? "R" : args[0]->b_flags & B_WRITE ? "W" : "D";
	@bytes[pid, execname, this->direction, args[1]->dev_statname] =
	    sum(args[0]->b_bcount);
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
	printf("%6s %-16s %s %-10s %11s\n", "PID", "COMMAND", "D", "DEVICE", "BYTES");
}

tick-1s, END
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@bytes, N);
	printf("%Y\n", walltimestamp);
	printa("%6d %-16S %s %-10s %@11d\n", @bytes);
	trunc(@bytes);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
