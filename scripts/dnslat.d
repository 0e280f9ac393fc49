#!/usr/bin/env -S dtrace -s
/*
 * dnslat.d - how long DNS servers take to answer, and how many queries they leave unanswered.
 *
 * usage: dtrace dnslat [SECONDS [TIMES]] [-r CAPTURE]
 *
 * Prints once, at the end. With SECONDS, the script prints every SECONDS seconds, even if nothing
 * happened, and ends after TIMES times or with Ctrl-C.
 *
 * Shows DNS by UDP; in a capture also by TCP. Times are in microseconds, from the first time that
 * the query was sent. QUERIES includes retries. FAILED counts answers with a result other than
 * NOERROR and NXDOMAIN.
 *
 * With -x slower=10ms, the times are those of answers that took 10 ms or longer.
 *
 *	192.0.2.2
 *	           value  ------------- Distribution ------------- count
 *	             512 |                                         0
 *	            1024 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2
 *	            2048 |                                         0
 *
 *	 QUERIES  ANSWERS   FAILED  MEAN(us)   MAX(us) SERVER
 *	       3        2        0      1500      2000 192.0.2.2
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
	printf("usage: dtrace dnslat [SECONDS [TIMES]] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
{
	printf("%s\n", "Watching answers of DNS until Ctrl-C or the end of the capture.");
}

dns:::query
{
	@queries[args[3]->udps_raddr] = count();
	some = 1;
}

dns:::response
{
	@answers[args[3]->udps_raddr] = count();
	some = 1;
	@failed[args[3]->udps_raddr] = sum(args[4]->dns_rcode != 0 && args[4]->dns_rcode != 3);
}

dns:::response
/args[4]->dns_latency >= slower/
{
	@times[args[3]->udps_raddr] = quantize(args[4]->dns_latency / 1000);
	@mean[args[3]->udps_raddr] = avg(args[4]->dns_latency / 1000);
	@most[args[3]->udps_raddr] = max(args[4]->dns_latency / 1000);
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
	printf("%8s %8s %8s %9s %9s %s\n", "QUERIES", "ANSWERS", "FAILED", "MEAN(us)", "MAX(us)", "SERVER");
	printa("%@8d %@8d %@8d %@9d %@9d %s\n", @queries, @answers, @failed, @mean, @most);
}

tick-1s
/this->due/
{
	seconds = 0;
	some = 0;
	shown++;
	trunc(@times);
	trunc(@queries);
	trunc(@answers);
	trunc(@failed);
	trunc(@mean);
	trunc(@most);
}

tick-1s
/TIMES && shown >= TIMES/
{
	exit(0);
}
