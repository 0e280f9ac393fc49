#!/usr/bin/env -S dtrace -s
/*
 * iotop.d - every second, who moved most bytes to and from disks.
 *
 * usage: iotop.d [HOW-MANY]
 *
 * A second in which nothing was moved is not shown.  Live only.
 *
 *	2026 Jan 12 22:13:21
 *	   PID COMMAND          D DEVICE           BYTES
 *	 13512 dd               W loop0          4096000
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
	printf("usage: iotop.d [HOW-MANY]\n");
	exit(1);
}

io:::start
{
	@bytes[pid, execname, args[0]->b_flags & B_READ ? "R" : "W", args[1]->dev_statname] =
	    sum(args[0]->b_bcount);
	some = 1;
}

tick-1s, END
/some/
{
	some = 0;
	trunc(@bytes, N);
	printf("%Y\n%6s %-16s %s %-10s %11s\n", walltimestamp, "PID", "COMMAND", "D", "DEVICE", "BYTES");
	printa("%6d %-16S %s %-10s %@11d\n", @bytes);
	trunc(@bytes);
}
