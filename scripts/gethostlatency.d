#!/usr/bin/env -S dtrace -s
/*
 * gethostlatency.d - a line for every answer of DNS: whose question it was, and how long it took; at the end the
 * questions without an answer.
 *
 * usage: dtrace gethostlatency [-r CAPTURE]
 *
 * By UDP, as most names are looked up; LAT is since the question was sent first, - if that was not seen.
 * RESULT is NOERROR where there is an answer, or NXDOMAIN ...  A long name goes on in the next line.
 *
 *	TIME(ms)     PID COMMAND          LAT(ms) TYPE   RESULT   HOST
 *	1000        4711 curl              12.345 A      NOERROR  www.example.org
 *
 *	NOT ANSWERED     PID COMMAND         TYPE   HOST
 *	           1    4711 curl            A      www.example.net
 */
#pragma D option quiet

/* Sockets' questions by number: how often the name of one is open. */
int open[uint64_t, uint16_t], names;
int opens[pid_t, string, string, string];

BEGIN
{
	start = timestamp;
	printf("%-8s %7s %-15s %8s %-6s %-8s %s\n", "TIME(ms)", "PID", "COMMAND", "LAT(ms)", "TYPE", "RESULT", "HOST");
}

/* Sent again it is the same question. */
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
/args[4]->dns_latency >= 0/
{
	this->time = (timestamp - start) / 1000000;
	this->ms = args[4]->dns_latency / 1000000;
	this->us = args[4]->dns_latency / 1000 % 1000;
	printf("%-8d %7d %-15S %4d.%03d %-6s %-8s %s\n", this->time, args[1]->cs_pid,
	    args[1]->cs_execname, this->ms, this->us, args[4]->dns_typestr, args[4]->dns_rcodestr, args[4]->dns_name);
}

dns:::response
/args[4]->dns_latency < 0/
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
