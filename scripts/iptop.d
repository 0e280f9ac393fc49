#!/usr/bin/env -S dtrace -s
/*
 * iptop.d - every second, the senders that most bytes came from.
 *
 * usage: iptop.d [-r CAPTURE] [HOW-MANY]
 *
 * A second in which nothing came is not shown.
 *
 *	2023 Nov 14 22:13:21
 *	        8146 bytes from 203.0.113.80
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortrev

inline int N = $1 ? $1 : 10;

ip:::receive
{
	@bytes[args[2]->ip_saddr] = sum(args[2]->ip_plength);
	some = 1;
}

tick-1s, END
/some/
{
	some = 0;
	trunc(@bytes, N);
	printf("%Y\n", walltimestamp);
	printa("%@12d bytes from %s\n", @bytes);
	trunc(@bytes);
}
