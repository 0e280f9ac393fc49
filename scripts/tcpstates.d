#!/usr/bin/env -S dtrace -s
/*
 * tcpstates.d - the state changes of TCP connections, and how long they stayed in each state.
 *
 * usage: tcpstates.d [-r CAPTURE]
 *
 * A line for each change (CID: the connection; IN(us): microseconds in the state it leaves,
 * 0 where that began unseen); at the end how often each change was, and its mean IN.
 *
 *	     CID LOCAL            PORT REMOTE           PORT     IN(us) CHANGE
 *	       3 192.0.2.1       40000 192.0.2.2          80       2000 syn-sent -> established
 */
#pragma D option quiet

/* The names without "state-". */
inline string NAME[int s] =
	s == TCP_STATE_CLOSED ? "closed" : s == TCP_STATE_LISTEN ? "listen" :
	s == TCP_STATE_SYN_SENT ? "syn-sent" : s == TCP_STATE_SYN_RECEIVED ? "syn-received" :
	s == TCP_STATE_ESTABLISHED ? "established" : s == TCP_STATE_CLOSE_WAIT ? "close-wait" :
	s == TCP_STATE_FIN_WAIT_1 ? "fin-wait-1" : s == TCP_STATE_FIN_WAIT_2 ? "fin-wait-2" :
	s == TCP_STATE_CLOSING ? "closing" : s == TCP_STATE_LAST_ACK ? "last-ack" :
	s == TCP_STATE_TIME_WAIT ? "time-wait" : "unknown";

uint64_t entered[uint64_t];

BEGIN
{
	printf("%8s %-15s %5s %-15s %5s %10s %s\n", "CID", "LOCAL", "PORT", "REMOTE", "PORT", "IN(us)", "CHANGE");
}

tcp:::state-change
{
	this->in = entered[args[1]->cs_cid] ? (timestamp - entered[args[1]->cs_cid]) / 1000 : 0;
	printf("%8d %-15s %5d %-15s %5d %10d %s -> %s\n", args[1]->cs_cid, args[3]->tcps_laddr,
	    args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport, this->in,
	    NAME[args[5]->tcps_state], NAME[args[3]->tcps_state]);
	@times[NAME[args[5]->tcps_state], NAME[args[3]->tcps_state]] = count();
	@mean[NAME[args[5]->tcps_state], NAME[args[3]->tcps_state]] = avg(this->in);
	entered[args[1]->cs_cid] = timestamp;
}

tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT/
{
	entered[args[1]->cs_cid] = 0;
}

END
{
	printf("\n%-15s %-15s %8s %10s\n", "FROM", "TO", "TIMES", "MEAN(us)");
	printa("%-15s %-15s %@8d %@10d\n", @times, @mean);
}
