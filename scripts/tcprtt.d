#!/usr/bin/env -S dtrace -s
/*
 * tcprtt.d - round trip times of TCP, by remote host.
 *
 * usage: dtrace tcprtt [SECONDS [TIMES]] [-r CAPTURE]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C.
 *
 * Shows the smoothed round trip time, in microseconds, at each packet of TCP that comes in; GRO may
 * have merged several segments into it. In a capture it is the time as seen at the place of the
 * capture. If this place is near the receiver of the data, the time is not the sender's round trip
 * time.
 *
 * With -x slower=10ms, the script counts only round trips that took 10 ms or longer.
 *
 *	192.0.2.2
 *	           value  ------------- Distribution ------------- count
 *	             512 |                                         0
 *	            1024 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 3
 *	            2048 |                                         0
 *
 *	 MEAN(us)  MIN(us)  MAX(us)  PACKETS REMOTE
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
/args[3]->tcps_rtt_us != 0 && args[3]->tcps_rtt_us * 1000 >= slower/
{
	@times[args[3]->tcps_raddr] = quantize(args[3]->tcps_rtt_us);
	@mean[args[3]->tcps_raddr] = avg(args[3]->tcps_rtt_us);
	@least[args[3]->tcps_raddr] = min(args[3]->tcps_rtt_us);
	@most[args[3]->tcps_raddr] = max(args[3]->tcps_rtt_us);
	@packets[args[3]->tcps_raddr] = count();
	some = 1;
}

/* Sets this->due when it is time to print: every SECONDS seconds, and at the end. */
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
	printf("%9s %8s %8s %8s %s\n", "MEAN(us)", "MIN(us)", "MAX(us)", "PACKETS", "REMOTE");
	printa("%@9d %@8d %@8d %@8d %s\n", @mean, @least, @most, @packets);
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
	trunc(@packets);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
