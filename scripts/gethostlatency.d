#!/usr/bin/env -S dtrace -s
/*
 * gethostlatency.d - a line for every DNS answer: who asked, and how long it took.
 *
 * usage: dtrace gethostlatency [-r CAPTURE]
 *
 * Prints the unanswered queries at the end. A query counts as unanswered if no answer comes within
 * half a minute.
 *
 * Shows DNS by UDP; in a capture also by TCP. LAT is the time since the query was first sent, to
 * any server, or - if that was not seen. RESULT is NOERROR, NXDOMAIN and so on. A long name
 * continues in the next line.
 *
 * With -x slower=10ms, the script prints only answers that took 10 ms or longer.
 *
 *	TIME(ms)     PID COMMAND          LAT(ms) TYPE   RESULT   HOST
 *	1000        4711 curl              12.345 A      NOERROR  www.example.org
 *
 *	NOT ANSWERED     PID COMMAND         TYPE   HOST
 *	           1    4711 curl            A      www.example.net
 */
#pragma D option quiet

/*
 * By socket and DNS ID, the last query: when it was first sent, to any server (0 if it is
 * answered); who asked, and for what. opens counts the queries without an answer by process, type
 * and name. names is the number of entries of opens that are not 0.
 */
uint64_t open[uint64_t, uint16_t];
pid_t pids[uint64_t, uint16_t];
string commands[uint64_t, uint16_t], types[uint64_t, uint16_t], hosts[uint64_t, uint16_t];
int opens[pid_t, string, string, string], names;
/* By socket, DNS ID and server: when the query that the server has not answered was first sent. */
uint64_t waits[uint64_t, uint16_t, string];
/*
 * Queries have numbers. The lower 10 bits of a number are the CPU that sent the query, and the rest
 * counts the queries of this CPU. By number: the keys and the value of waits. For each CPU: how many
 * queries have a number, and how many of the oldest have been forgotten.
 */
uint64_t socket[uint64_t], sent[uint64_t];
uint16_t number[uint64_t];
string server[uint64_t];
uint64_t newest[int], oldest[int];
this string host, command, type;

/* A query is sent again within half a minute, perhaps in other letter case (RFC 4343). */
inline uint64_t AGAIN_WITHIN = 30000000000;

BEGIN
{
	start = timestamp;
	printf("%-8s %7s %-15s %8s %-6s %-8s %s\n", "TIME(ms)", "PID", "COMMAND", "LAT(ms)", "TYPE", "RESULT", "HOST");
}

/* A query that is sent again is not a new query, even if it goes to another server. */
dns:::query
{
	this->open = open[args[1]->cs_cid, args[4]->dns_id];
	this->again = this->open != 0 && timestamp - this->open < AGAIN_WITHIN &&
	    types[args[1]->cs_cid, args[4]->dns_id] == args[4]->dns_typestr &&
	    tolower(hosts[args[1]->cs_cid, args[4]->dns_id]) == tolower(args[4]->dns_name);
	this->first = this->again ? this->open : timestamp;
	waits[args[1]->cs_cid, args[4]->dns_id, args[3]->udps_raddr] = this->first;
	this->n = ++newest[cpu] << 10 | cpu;
	socket[this->n] = args[1]->cs_cid;
	number[this->n] = args[4]->dns_id;
	server[this->n] = args[3]->udps_raddr;
	sent[this->n] = this->first;
}

dns:::query
/!this->again/
{
	open[args[1]->cs_cid, args[4]->dns_id] = this->first;
	pids[args[1]->cs_cid, args[4]->dns_id] = args[1]->cs_pid;
	commands[args[1]->cs_cid, args[4]->dns_id] = args[1]->cs_execname;
	types[args[1]->cs_cid, args[4]->dns_id] = args[4]->dns_typestr;
	hosts[args[1]->cs_cid, args[4]->dns_id] = args[4]->dns_name;
	this->n = ++opens[args[1]->cs_pid, args[1]->cs_execname, args[4]->dns_typestr, args[4]->dns_name];
	names += this->n == 1;
	@open[args[1]->cs_pid, args[1]->cs_execname, args[4]->dns_typestr, args[4]->dns_name] = sum(1);
}

/*
 * Each query and each answer forgets this CPU's oldest query, if it is old enough. So queries without an answer do
 * not fill the arrays. opens and @open keep them, because they are printed at the end.
 */
inline int OVER = oldest[cpu] != newest[cpu] && timestamp - sent[oldest[cpu] + 1 << 10 | cpu] >= AGAIN_WITHIN;

dns:::query, dns:::response
/OVER/
{
	this->old = ++oldest[cpu] << 10 | cpu;
}

dns:::query, dns:::response
/this->old/
{
	this->s = socket[this->old];
	this->first = sent[this->old];
	this->open = open[this->s, number[this->old]];
	if (waits[this->s, number[this->old], server[this->old]] == this->first)
		waits[this->s, number[this->old], server[this->old]] = 0;
	if (this->open == this->first) {
		open[this->s, number[this->old]] = 0;
		pids[this->s, number[this->old]] = 0;
		commands[this->s, number[this->old]] = 0;
		types[this->s, number[this->old]] = 0;
		hosts[this->s, number[this->old]] = 0;
	}
	socket[this->old] = 0;
	number[this->old] = 0;
	server[this->old] = 0;
	sent[this->old] = 0;
}

/*
 * The latency is -1 if no query was seen. If NAT changed the server's address, the query has
 * another address than the answer. Then the query is the socket's last one with this ID.
 */
dns:::response
{
	this->open = open[args[1]->cs_cid, args[4]->dns_id];
	this->first = waits[args[1]->cs_cid, args[4]->dns_id, args[3]->udps_raddr];
	waits[args[1]->cs_cid, args[4]->dns_id, args[3]->udps_raddr] = 0;
	this->first = this->first != 0 ? this->first : this->open;
	this->latency = this->first != 0 ? (int64_t)(timestamp - this->first) : -1;
}

/* The answer may lack the question, or have it in other letter case. So the query's one counts. */
dns:::response
/this->open != 0 && this->first == this->open/
{
	this->pid = pids[args[1]->cs_cid, args[4]->dns_id];
	this->command = commands[args[1]->cs_cid, args[4]->dns_id];
	this->type = types[args[1]->cs_cid, args[4]->dns_id];
	this->host = hosts[args[1]->cs_cid, args[4]->dns_id];
	open[args[1]->cs_cid, args[4]->dns_id] = 0;
	pids[args[1]->cs_cid, args[4]->dns_id] = 0;
	commands[args[1]->cs_cid, args[4]->dns_id] = 0;
	types[args[1]->cs_cid, args[4]->dns_id] = 0;
	hosts[args[1]->cs_cid, args[4]->dns_id] = 0;
	this->n = --opens[this->pid, this->command, this->type, this->host];
	names -= this->n == 0;
	@open[this->pid, this->command, this->type, this->host] = sum(-1);
}

dns:::response
/this->latency >= slower/
{
	this->time_ms = (timestamp - start) / 1000000;
	this->ms = this->latency / 1000000;
	this->thousandths = this->latency / 1000 % 1000;
	printf("%-8d %7d %-15S %4d.%03d %-6s %-8s %s\n", this->time_ms, args[1]->cs_pid,
	    args[1]->cs_execname, this->ms, this->thousandths, args[4]->dns_typestr, args[4]->dns_rcodestr, args[4]->dns_name);
}

dns:::response
/this->latency < 0 && !slower/
{
	this->time_ms = (timestamp - start) / 1000000;
	printf("%-8d %7d %-15S %8s %-6s %-8s %s\n", this->time_ms, args[1]->cs_pid,
	    args[1]->cs_execname, "-", args[4]->dns_typestr, args[4]->dns_rcodestr, args[4]->dns_name);
}

END
{
	trunc(@open, names);
	printf("\n%12s %7s %-15s %-6s %s\n", "NOT ANSWERED", "PID", "COMMAND", "TYPE", "HOST");
	printa("%@12d %7d %-15S %-6s %s\n", @open);
}
