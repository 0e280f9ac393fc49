#!/usr/bin/env -S dtrace -s
/*
 * dnslat.d - how long DNS servers take to answer, and how many questions they leave open.
 *
 * usage: dnslat.d [SECONDS [COUNT]] [-r CAPTURE]
 *
 * By UDP.  Without SECONDS once, at the end; else every so many seconds, COUNT times.  Times are in
 * microseconds since the question was sent first; QUERIES are those sent, again too, FAILED the answers with
 * another result than NOERROR and NXDOMAIN.
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

inline int EACH = strtoll($$1);
inline int EVERY = EACH ? EACH : 1;
inline int GIVEN[string s] = s == "" || s == "0" || strtoll(s) > 0;
inline int WRONG = !GIVEN[$$1] || !GIVEN[$$2];

BEGIN
/WRONG/
{
	printf("usage: dnslat.d [SECONDS [COUNT]]\n");
	exit(1);
}

BEGIN
{
	printf("Watching answers of DNS; Ctrl-C ends.\n");
	left = strtoll($$2);
	some = 0;
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
/args[4]->dns_latency >= 0/
{
	@times[args[3]->udps_raddr] = quantize(args[4]->dns_latency / 1000);
	@mean[args[3]->udps_raddr] = avg(args[4]->dns_latency / 1000);
	@most[args[3]->udps_raddr] = max(args[4]->dns_latency / 1000);
}

tick-1s
/EACH && ++seconds % EVERY == 0/
{
	printf("%Y\n", walltimestamp);
	printa("%s%@d\n", @times);
	printf("%8s %8s %8s %9s %9s %s\n", "QUERIES", "ANSWERS", "FAILED", "MEAN(us)", "MAX(us)", "SERVER");
	printa("%@8d %@8d %@8d %@9d %@9d %s\n", @queries, @answers, @failed, @mean, @most);
	trunc(@times);
	trunc(@queries);
	trunc(@answers);
	trunc(@failed);
	trunc(@mean);
	trunc(@most);
	some = 0;
}

tick-1s
/EACH && left && seconds % EVERY == 0 && --left == 0/
{
	exit(0);
}

END
/!WRONG && (!EACH || some)/
{
	printa("%s%@d\n", @times);
	printf("%8s %8s %8s %9s %9s %s\n", "QUERIES", "ANSWERS", "FAILED", "MEAN(us)", "MAX(us)", "SERVER");
	printa("%@8d %@8d %@8d %@9d %@9d %s\n", @queries, @answers, @failed, @mean, @most);
}
