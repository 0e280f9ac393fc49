#!/usr/bin/env -S dtrace -s
/*
 * iptop.d - every second, the senders that most bytes came from.
 *
 * usage: iptop.d [-r CAPTURE] [HOW-MANY]
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortrev

inline int N = $1 ? $1 : 10;

ip:::receive
{
	@bytes[args[2]->ip_saddr] = sum(args[2]->ip_plength);
}

tick-1s
{
	trunc(@bytes, N);
	printf("%Y\n", walltimestamp);
	printa("%@12d bytes from %s\n", @bytes);
	trunc(@bytes);
}
