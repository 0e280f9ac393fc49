#!/usr/bin/env -S dtrace -s
/*
 * iptop.d - every second, the sources that sent most bytes to this host.
 *
 * usage: dtrace iptop [HOW-MANY [SECONDS [TIMES]]] [-r CAPTURE]
 *
 * Shows the HOW-MANY (10) largest, every SECONDS (1) seconds. Ends after TIMES times or with
 * Ctrl-C.
 *
 * Counts bytes after the IP header. The heading is repeated above each interval.
 *
 *	       BYTES SOURCE
 *	2023 Nov 14 22:13:21
 *	        8146 203.0.113.80
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
	printf("usage: dtrace iptop [HOW-MANY [SECONDS [TIMES]]] [-r CAPTURE]\n");
	exit(1);
}

ip:::receive
{
	@bytes[args[2]->ip_saddr] = sum(args[2]->ip_plength);
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
	printf("%12s %s\n", "BYTES", "SOURCE");
}

tick-1s, END
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@bytes, N);
	printf("%Y\n", walltimestamp);
	printa("%@12d %s\n", @bytes);
	trunc(@bytes);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
