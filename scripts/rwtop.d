#!/usr/bin/env -S dtrace -s
/*
 * rwtop.d - every second, who read and wrote most bytes, whatever they were read from.
 *
 * usage: rwtop.d [HOW-MANY]
 *
 * A second in which nothing was read or written is not shown.  Live only.
 *
 *	2026 Jan 12 22:13:21
 *	   PID COMMAND          D       BYTES
 *	 13512 dd               W     4096000
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortrev

inline int N = strtoll($$1) ? strtoll($$1) : 10;
inline int GIVEN[string s] = s == "" || s == "0" || strtoll(s) > 0;
inline int WRONG = !GIVEN[$$1];

BEGIN
/WRONG/
{
	printf("usage: rwtop.d [HOW-MANY]\n");
	exit(1);
}

sysinfo:::readch
/pid != $pid/
{
	@bytes[pid, execname, "R"] = sum(arg0);
	some = 1;
}

sysinfo:::writech
/pid != $pid/
{
	@bytes[pid, execname, "W"] = sum(arg0);
	some = 1;
}

tick-1s, END
/some/
{
	some = 0;
	trunc(@bytes, N);
	printf("%Y\n%6s %-16s %s %11s\n", walltimestamp, "PID", "COMMAND", "D", "BYTES");
	printa("%6d %-16S %s %@11d\n", @bytes);
	trunc(@bytes);
}
