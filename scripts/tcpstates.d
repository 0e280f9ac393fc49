#!/usr/bin/env -S dtrace -s
/*
 * tcpstates.d - a line for every state change of TCP connections, with the time in each state.
 *
 * usage: dtrace tcpstates [wide] [-r CAPTURE]
 *
 * CID is the number of the connection. IN(us) is the microseconds in the state that the connection
 * leaves, or - if the beginning of that state was not seen. LPORT is this host's port. At the end,
 * the script prints the number of each change, the number of those with a known IN, and the mean of
 * these.
 *
 * With the argument wide, a line is wider than 80 columns and also has the owner of the
 * connection and both addresses.
 *
 *	     CID     IN(us) CHANGE                      LPORT REMOTE           PORT
 *	       3       2000 syn-sent -> established     40000 192.0.2.2          80
 */
#pragma D option quiet
#pragma D option defaultargs

inline int WIDE = $$1 == "wide";
inline int WRONG = $$1 != "" && !WIDE;

/* The text before the remote address: a blank, or a new line if the address is long. */
inline string NEXT = strlen(args[3]->tcps_raddr) > 15 ? "\n                                   " : " ";

/* Returns the name of a state without the prefix "state-". */
inline string NAME[int s] =
	s == TCP_STATE_CLOSED ? "closed" : s == TCP_STATE_LISTEN ? "listen" :
	s == TCP_STATE_SYN_SENT ? "syn-sent" : s == TCP_STATE_SYN_RECEIVED ? "syn-received" :
	s == TCP_STATE_ESTABLISHED ? "established" : s == TCP_STATE_CLOSE_WAIT ? "close-wait" :
	s == TCP_STATE_FIN_WAIT_1 ? "fin-wait-1" : s == TCP_STATE_FIN_WAIT_2 ? "fin-wait-2" :
	s == TCP_STATE_CLOSING ? "closing" : s == TCP_STATE_LAST_ACK ? "last-ack" :
	s == TCP_STATE_TIME_WAIT ? "time-wait" : "unknown";

uint64_t entered[uint64_t];
this string from, to;

BEGIN
/WRONG/
{
	printf("usage: dtrace tcpstates [wide] [-r CAPTURE]\n");
	exit(1);
}

BEGIN
/WIDE/
{
	printf("%8s %7s %-15s %-12s %-15s %10s %-27s %-39s %5s %-39s %5s\n", "CID", "PID", "COMMAND", "USER", "NETNS", "IN(us)",
	    "CHANGE", "LOCAL", "LPORT", "REMOTE", "PORT");
}

BEGIN
/!WIDE/
{
	printf("%8s %10s %-27s %5s %-15s %5s\n", "CID", "IN(us)", "CHANGE", "LPORT", "REMOTE", "PORT");
}

tcp:::state-change
{
	this->from = NAME[args[5]->tcps_state];
	this->to = NAME[args[3]->tcps_state];
	this->known = entered[args[1]->cs_cid] != 0;
	this->in_us = (timestamp - entered[args[1]->cs_cid]) / 1000;
}

tcp:::state-change
/WIDE && !this->known/
{
	printf("%8d %7d %-15S %-12S %-15S %10s %s -> %*s %-39s %5d %-39s %5d\n", args[1]->cs_cid, args[1]->cs_pid,
	    args[1]->cs_execname, args[1]->cs_user, args[1]->cs_netns_name, "-", this->from,
	    strlen(this->from) - 23, this->to, args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::state-change
/!WIDE && !this->known/
{
	printf("%8d %10s %s -> %*s %5d%s%-15s %5d\n", args[1]->cs_cid, "-", this->from,
	    strlen(this->from) - 23, this->to, args[3]->tcps_lport, NEXT,
	    args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::state-change
/WIDE && this->known/
{
	printf("%8d %7d %-15S %-12S %-15S %10d %s -> %*s %-39s %5d %-39s %5d\n", args[1]->cs_cid, args[1]->cs_pid,
	    args[1]->cs_execname, args[1]->cs_user, args[1]->cs_netns_name, this->in_us, this->from,
	    strlen(this->from) - 23, this->to, args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::state-change
/!WIDE && this->known/
{
	printf("%8d %10d %s -> %*s %5d%s%-15s %5d\n", args[1]->cs_cid, this->in_us, this->from,
	    strlen(this->from) - 23, this->to, args[3]->tcps_lport, NEXT,
	    args[3]->tcps_raddr, args[3]->tcps_rport);
}

tcp:::state-change
{
	@times[this->from, this->to] = count();
	@known[this->from, this->to] = sum(this->known);
	entered[args[1]->cs_cid] = timestamp;
}

tcp:::state-change
/this->known/
{
	@mean[this->from, this->to] = avg(this->in_us);
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT/
{
	entered[args[1]->cs_cid] = 0;
}

END
/!WRONG/
{
	printf("\n%-15s %-15s %8s %8s %10s\n", "FROM", "TO", "TIMES", "KNOWN", "MEAN(us)");
	printa("%-15s %-15s %@8d %@8d %@10d\n", @times, @known, @mean);
}
