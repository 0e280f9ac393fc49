#!/usr/bin/env -S dtrace -s
/*
 * tcprtt.d - how long TCP segments take to be acknowledged, by remote host: the smoothed round trip time.
 *
 * usage: dtrace tcprtt [SECONDS [TIMES]] [-r CAPTURE]
 *
 * Once, at the end; with SECONDS every so many seconds in which something was seen, TIMES times
 * (until it is ended).
 * In microseconds, as it is when a segment comes in.  In a capture it is what was seen of it: near the
 * receiver that is not the round trip of the sender.
 *
 *	192.0.2.2
 *	           value  ------------- Distribution ------------- count
 *	             512 |                                         0
 *	            1024 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3
 *	            2048 |                                         0
 *
 *	 MEAN(us)  MIN(us)  MAX(us) SEGMENTS REMOTE
 *	     1500     1000     2000        3 192.0.2.2
 */
#pragma D option quiet
#pragma D option defaultargs

inline int SECONDS = strtoll($$1);
inline int TIMES = strtoll($$2);
inline int GIVEN[string s] = s == "" || (strtoll(s) >= 0 && lltostr(strtoll(s)) == s);
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2];

int seconds, some, shown;

BEGIN
/WRONG/
{
	printf("usage: dtrace tcprtt [SECONDS [TIMES]] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%s\n", "Watching round trips until Ctrl-C or the end of the capture.");
}

tcp:::receive
/args[3]->tcps_rtt_us != 0/
{
	@times[args[3]->tcps_raddr] = quantize(args[3]->tcps_rtt_us);
	@mean[args[3]->tcps_raddr] = avg(args[3]->tcps_rtt_us);
	@least[args[3]->tcps_raddr] = min(args[3]->tcps_rtt_us);
	@most[args[3]->tcps_raddr] = max(args[3]->tcps_rtt_us);
	@segments[args[3]->tcps_raddr] = count();
	some = 1;
}

/* Every SECONDS, and what is left at the end. */
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
/this->due/
{
	printa("%s%@d\n", @times);
	printf("%9s %8s %8s %8s %s\n", "MEAN(us)", "MIN(us)", "MAX(us)", "SEGMENTS", "REMOTE");
	printa("%@9d %@8d %@8d %@8d %s\n", @mean, @least, @most, @segments);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@times);
	trunc(@mean);
	trunc(@least);
	trunc(@most);
	trunc(@segments);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
