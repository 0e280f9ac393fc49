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
 * the query was sent to this server. QUERIES includes retries. FAILED counts answers with a result
 * other than NOERROR and NXDOMAIN.
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

/*
 * By socket, DNS ID and server: when the query was first sent, and its type and name. A retry may
 * have other letter case (RFC 4343). After half a minute, the ID belongs to a new query.
 */
uint64_t asked[uint64_t, uint16_t, string];
string question[uint64_t, uint16_t, string];
this string question;
/*
 * Queries have numbers. The lower 10 bits of a number are the CPU that sent the query, and the rest
 * counts the queries of this CPU. By number: the keys and the value of asked. For each CPU: how many
 * queries have a number, and how many of the oldest have been forgotten.
 */
uint64_t socket[uint64_t], sent[uint64_t];
uint16_t number[uint64_t];
string server[uint64_t];
uint64_t newest[int], oldest[int];
inline uint64_t AGAIN_WITHIN = 30000000000;

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
	this->question = strjoin(args[4]->dns_typestr, strjoin(" ", tolower(args[4]->dns_name)));
	this->asked = asked[args[1]->cs_cid, args[4]->dns_id, args[3]->udps_raddr];
	this->retry = this->asked != 0 && timestamp - this->asked < AGAIN_WITHIN &&
	    question[args[1]->cs_cid, args[4]->dns_id, args[3]->udps_raddr] == this->question;
}

dns:::query
/!this->retry/
{
	asked[args[1]->cs_cid, args[4]->dns_id, args[3]->udps_raddr] = timestamp;
	question[args[1]->cs_cid, args[4]->dns_id, args[3]->udps_raddr] = this->question;
	this->n = ++newest[cpu] << 10 | cpu;
	socket[this->n] = args[1]->cs_cid;
	number[this->n] = args[4]->dns_id;
	server[this->n] = args[3]->udps_raddr;
	sent[this->n] = timestamp;
}

/*
 * Each query and each answer forgets this CPU's oldest query, if it is old enough. So queries without an answer do
 * not fill the arrays. An answer that comes later has an unknown time.
 */
inline int OVER = oldest[cpu] != newest[cpu] && timestamp - sent[oldest[cpu] + 1 << 10 | cpu] >= AGAIN_WITHIN;

dns:::query, dns:::response
/OVER/
{
	this->old = ++oldest[cpu] << 10 | cpu;
	this->s = socket[this->old];
	if (asked[this->s, number[this->old], server[this->old]] == sent[this->old]) {
		asked[this->s, number[this->old], server[this->old]] = 0;
		question[this->s, number[this->old], server[this->old]] = 0;
	}
	socket[this->old] = 0;
	number[this->old] = 0;
	server[this->old] = 0;
	sent[this->old] = 0;
}

/*
 * The latency is -1 if no query was seen. If NAT changed the server's address, the query has
 * another address than the answer. Then dns_latency has to do: it goes by socket and ID only.
 */
dns:::response
{
	this->asked = asked[args[1]->cs_cid, args[4]->dns_id, args[3]->udps_raddr];
	this->latency = this->asked != 0 ? (int64_t)(timestamp - this->asked) :
	    args[4]->dns_latency;
	asked[args[1]->cs_cid, args[4]->dns_id, args[3]->udps_raddr] = 0;
	question[args[1]->cs_cid, args[4]->dns_id, args[3]->udps_raddr] = 0;
	@answers[args[3]->udps_raddr] = count();
	some = 1;
	@failed[args[3]->udps_raddr] = sum(args[4]->dns_rcode != 0 && args[4]->dns_rcode != 3);
}

dns:::response
/this->latency >= slower/
{
	@times[args[3]->udps_raddr] = quantize(this->latency / 1000);
	@mean[args[3]->udps_raddr] = avg(this->latency / 1000);
	@most[args[3]->udps_raddr] = max(this->latency / 1000);
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
