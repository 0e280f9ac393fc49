#!/usr/bin/env -S dtrace -s
/*
 * tcpsubnet.d - every second, the networks that TCP sent most data to.
 *
 * usage: dtrace tcpsubnet [HOW-MANY [SECONDS [TIMES]]] [-r CAPTURE]
 *
 * Shows the HOW-MANY (10) largest, every SECONDS (1) seconds. Ends after TIMES times or with
 * Ctrl-C.
 *
 * Networks have 24 bits, those of IPv6 have 48. Counts data only; data that is sent again counts
 * again. A packet that a device will cut counts as all its segments. A second without data has a
 * heading and no lines. To see certain networks only, use -x raddr=10.0.0.0/8,192.0.2.0/24.
 *
 *	     BYTES   SEGMENTS NETWORK
 *	2023 Nov 14 22:13:21
 *	      1000          2 192.0.2.0/24
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option aggsortrev

inline int N = strtoll($$1) ? strtoll($$1) : 10;
inline int SECONDS = strtoll($$2) ? strtoll($$2) : 1;
inline int TIMES = strtoll($$3);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2] || !GIVEN[$$3];

int seconds, some, shown;

BEGIN
/WRONG/
{
	printf("usage: dtrace tcpsubnet [HOW-MANY [SECONDS [TIMES]]] [-r CAPTURE]\n");
	exit(1);
}

tcp:::send
/args[4]->tcp_plength > 0 && args[2]->ip_ver == 4/
{
	this->bits = 24;
	@bytes[net(args[2]->ip_daddr, 24), this->bits] = sum(args[4]->tcp_plength);
	@segments[net(args[2]->ip_daddr, 24), this->bits] = sum(args[4]->tcp_segments);
	some = 1;
}

tcp:::send
/args[4]->tcp_plength > 0 && args[2]->ip_ver == 6/
{
	this->bits = 48;
	@bytes[net(args[2]->ip_daddr, 48), this->bits] = sum(args[4]->tcp_plength);
	@segments[net(args[2]->ip_daddr, 48), this->bits] = sum(args[4]->tcp_segments);
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
	printf("%10s %10s %s\n", "BYTES", "SEGMENTS", "NETWORK");
}

tick-1s, END
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@bytes, N);
	printf("%Y\n", walltimestamp);
	printa("%@10d %@10d %s/%d\n", @bytes, @segments);
	trunc(@bytes);
	trunc(@segments);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
