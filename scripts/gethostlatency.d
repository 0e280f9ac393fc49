#!/usr/bin/env -S dtrace -s
/*
 * gethostlatency.d - a line for every DNS answer: who asked, and how long it took.
 *
 * usage: dtrace gethostlatency [-r CAPTURE]
 *
 * Prints the unanswered queries at the end.
 *
 * Shows DNS by UDP; in a capture also by TCP. LAT is the time since the query was first sent, or -
 * if that was not seen. RESULT is NOERROR, NXDOMAIN and so on. A long name continues in the next
 * line.
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
 * open is 1 for each query without an answer, by socket and DNS ID. opens counts these queries by
 * process, type and name. names is the number of entries of opens that are not 0.
 */
int open[uint64_t, uint16_t], names;
int opens[pid_t, string, string, string];

BEGIN
{
	start = timestamp;
	printf("%-8s %7s %-15s %8s %-6s %-8s %s\n", "TIME(ms)", "PID", "COMMAND", "LAT(ms)", "TYPE", "RESULT", "HOST");
}

/* A query that is sent again is not a new query. */
dns:::query
/open[args[1]->cs_cid, args[4]->dns_id] == 0/
{
	open[args[1]->cs_cid, args[4]->dns_id] = 1;
	this->n = ++opens[args[1]->cs_pid, args[1]->cs_execname, args[4]->dns_typestr, args[4]->dns_name];
	names += this->n == 1;
	@open[args[1]->cs_pid, args[1]->cs_execname, args[4]->dns_typestr, args[4]->dns_name] = sum(1);
}

dns:::response
/open[args[1]->cs_cid, args[4]->dns_id] != 0/
{
	open[args[1]->cs_cid, args[4]->dns_id] = 0;
	this->n = --opens[args[1]->cs_pid, args[1]->cs_execname, args[4]->dns_typestr, args[4]->dns_name];
	names -= this->n == 0;
	@open[args[1]->cs_pid, args[1]->cs_execname, args[4]->dns_typestr, args[4]->dns_name] = sum(-1);
}

dns:::response
/args[4]->dns_latency >= slower/
{
	this->time = (timestamp - start) / 1000000;
	this->ms = args[4]->dns_latency / 1000000;
	this->us = args[4]->dns_latency / 1000 % 1000;
	printf("%-8d %7d %-15S %4d.%03d %-6s %-8s %s\n", this->time, args[1]->cs_pid,
	    args[1]->cs_execname, this->ms, this->us, args[4]->dns_typestr, args[4]->dns_rcodestr, args[4]->dns_name);
}

dns:::response
/args[4]->dns_latency < 0 && !slower/
{
	this->time = (timestamp - start) / 1000000;
	printf("%-8d %7d %-15S %8s %-6s %-8s %s\n", this->time, args[1]->cs_pid,
	    args[1]->cs_execname, "-", args[4]->dns_typestr, args[4]->dns_rcodestr, args[4]->dns_name);
}

END
{
	trunc(@open, names);
	printf("\n%12s %7s %-15s %-6s %s\n", "NOT ANSWERED", "PID", "COMMAND", "TYPE", "HOST");
	printa("%@12d %7d %-15S %-6s %s\n", @open);
}
