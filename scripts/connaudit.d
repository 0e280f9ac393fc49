#!/usr/bin/env -S dtrace -s
/*
 * connaudit.d - a line for every TCP connection and attempt: who, when, how long, how it ended.
 *
 * usage: dtrace connaudit [-r CAPTURE]
 *
 * Prints one line when a connection or an attempt has ended; lines are wider than a terminal. -x
 * oformat=json prints an object instead of each line. If anything was lost, dtrace reports it and
 * its status is 3.
 *
 * start is local time as in ISO 8601, so lines can be sorted by it. ms is the duration. sent and
 * received are bytes of data, as TCP itself counts them (see tcplife). netns and container are
 * names (cs_netns_name, cs_container). comm is a name that the process chose, so it comes last.
 *
 * how is out or in. verdict is one of these:
 *
 * for out and in: closed, aborted (this host reset it, or the other side stopped answering),
 * reset-by-peer;
 *
 * for out: refused, or unanswered (a firewall here may also have dropped it);
 *
 * for in: refusal (nobody listens), overflow (the listener's queue is full; live only), half-open
 * (answered, then reset before it was established), dropped (a firewall dropped the SYN, and may
 * have sent a reset; live only).
 *
 * With the verdict dropped, each dropped SYN has a line; on a router, SYNs to other hosts have
 * lines, too. The line also has ct, the state of connection tracking, and chain, the firewall's
 * table and chain that dropped the SYN, or <unknown>/<unknown>.
 *
 * The last line counts attempts, connections that are still open, and SYNs with no outcome yet.
 *
 *	start=2023-11-14T22:13:20.007+00:00 ms=6 how=out verdict=closed pid=4711
 *	uid=1000 user=alice netns=systemd/1 cgroup=5233 container=- laddr=192.0.2.1
 *	lport=40000 raddr=192.0.2.2 rport=80 sent=18 received=1000 comm=curl
 */
#pragma D option quiet
#pragma D option strict
#pragma D option zdefs

inline uint64_t CID = args[1]->cs_cid;

int out[uint64_t], up[uint64_t], refused[uint64_t], reset[uint64_t]; /* for each connection */
/*
 * SYNs without an outcome, by source and destination: when the first one and the last one arrived,
 * and their sequence number.
 */
uint64_t half[string, uint16_t, string, uint16_t], half_wall[string, uint16_t, string, uint16_t],
    half_last[string, uint16_t, string, uint16_t];
uint32_t half_isn[string, uint16_t, string, uint16_t];

/* Aggregations count attempts: a variable would lose updates if two CPUs change it at once. */
BEGIN
{
	@attempts = sum(0);
	@open_now = sum(0);
	@pending = sum(0);
}

/* ------------------------------------------------------------- beginnings */

/* This probe fires before the SYN is sent, and a firewall on this host may drop the SYN. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_SENT && begun[CID] == 0/
{
	begun[CID] = timestamp;
	wall[CID] = walltimestamp;
	out[CID] = 1;
}

/* The socket exists before the connection is established. */
tcp:::accept-established
{
	begun[CID] = timestamp;
	wall[CID] = walltimestamp;
	up[CID] = 1;
	@open_now = sum(1);
}

tcp:::accept-established
/half[args[3]->tcps_raddr, args[3]->tcps_rport, args[3]->tcps_laddr, args[3]->tcps_lport] != 0/
{
	half[args[3]->tcps_raddr, args[3]->tcps_rport, args[3]->tcps_laddr, args[3]->tcps_lport] = 0;
	@pending = sum(-1);
}

tcp:::connect-established
/begun[CID] != 0/
{
	up[CID] = 1;
	@open_now = sum(1);
}

/* Both hosts open the connection at once; the other host's SYN arrived before this one is sent. */
tcp:::connect-request
/half[args[3]->tcps_raddr, args[3]->tcps_rport, args[3]->tcps_laddr, args[3]->tcps_lport] != 0/
{
	half[args[3]->tcps_raddr, args[3]->tcps_rport, args[3]->tcps_laddr, args[3]->tcps_lport] = 0;
	@pending = sum(-1);
}

/* ------------------------------------------------------------- ends */

tcp:::connect-refused
{
	refused[CID] = 1;
}

tcp:::reset-received
{
	reset[CID] = 1;
}

/*
 * TCP's counters, read once at the end. They count a FIN as a byte, and also the SYN of the side
 * that opened the connection.
 */
inline uint64_t SENT = !up[CID] ? 0 : args[3]->tcps_bytes_acked +
	(uint32_t)(args[3]->tcps_snxt - args[3]->tcps_suna) - args[3]->tcps_fin_sent - out[CID];
inline uint64_t RECEIVED = args[3]->tcps_bytes_received - args[3]->tcps_fin_received;

/* The socket was closed without the other side's FIN, or without an answer to our FIN. */
inline int ABORTS = args[3]->tcps_state == TCP_STATE_CLOSED && (args[5]->tcps_state == TCP_STATE_ESTABLISHED ||
	args[5]->tcps_state == TCP_STATE_CLOSE_WAIT || args[5]->tcps_state == TCP_STATE_FIN_WAIT_1 ||
	args[5]->tcps_state == TCP_STATE_SYN_RECEIVED);

tcp:::state-change
/(args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT) && begun[CID] != 0/
{
	this->start = wall[CID];
	this->ms = (timestamp - begun[CID]) / 1000000;
	this->how = out[CID] ? "out" : "in";
	this->verdict = refused[CID] ? "refused" : !up[CID] ? "unanswered" : reset[CID] ? "reset-by-peer" :
	    ABORTS ? "aborted" : "closed";
	printf("start=%#Y ms=%d how=%s verdict=%s pid=%d uid=%d user=%S netns=%S cgroup=%d container=%S ", this->start,
	    this->ms, this->how, this->verdict, args[1]->cs_pid, args[1]->cs_uid,
	    args[1]->cs_user, args[1]->cs_netns_name, args[1]->cs_cgroup, args[1]->cs_container);
	printf("laddr=%s lport=%d raddr=%s rport=%d sent=%d received=%d comm=%S\n", args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport, SENT, RECEIVED, args[1]->cs_execname);
	@attempts = sum(1);
	@open_now = sum(-up[CID]);
	begun[CID] = 0;
	wall[CID] = 0;
	out[CID] = 0;
	up[CID] = 0;
	refused[CID] = 0;
	reset[CID] = 0;
}

/* ------------------------------------------- attempts that do not become connections */

inline int OPENS = (args[4]->tcp_flags & (TH_SYN | TH_ACK | TH_RST | TH_FIN)) == TH_SYN;

/*
 * A SYN begins an attempt, unless a SYN with the same sequence number came less than AGAIN_WITHIN
 * before: TCP retransmits a SYN after 120 s at most. A SYN does not begin an attempt if this host
 * has sent a SYN, too, or if the SYN is a late copy of the one that began the connection.
 */
inline uint64_t AGAIN_WITHIN = 130000000000;
inline int IS_COPY = args[3]->tcps_irs != 0 && args[4]->tcp_seq == args[3]->tcps_irs;

tcp:::receive
/OPENS/
{
	this->begins = args[3]->tcps_state != TCP_STATE_SYN_SENT && !IS_COPY;
}

tcp:::receive
/this->begins/
{
	this->half =
	    half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport];
	this->isn =
	    half_isn[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport];
	this->last =
	    half_last[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport];
	this->begins = this->half == 0 || this->isn != args[4]->tcp_seq ||
	    timestamp - this->last >= AGAIN_WITHIN;
	half_last[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] =
	    timestamp;
}

tcp:::receive
/this->begins/
{
	half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] = timestamp;
	half_wall[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] = walltimestamp;
	half_isn[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] =
	    args[4]->tcp_seq;
	@pending = sum(1);
}

/* This host sends the reset, so its source is this host. */
tcp:::accept-refused
{
	this->start = walltimestamp;
	printf("start=%#Y ms=0 how=in verdict=refusal pid=-1 uid=4294967295 user=unknown netns=%S cgroup=0 container=unknown laddr=%s lport=%d raddr=%s rport=%d ",
	    this->start, args[1]->cs_netns_name, args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport);
	printf("sent=0 received=0 comm=-\n");
	@attempts = sum(1);
}

tcp:::accept-refused
/half[args[2]->ip_daddr, args[4]->tcp_dport, args[2]->ip_saddr, args[4]->tcp_sport] != 0/
{
	half[args[2]->ip_daddr, args[4]->tcp_dport, args[2]->ip_saddr, args[4]->tcp_sport] = 0;
	@pending = sum(-1);
}

/* Prints one line for each segment that is dropped. */
tcp:::listen-overflow
{
	this->start = walltimestamp;
	printf("start=%#Y ms=0 how=in verdict=overflow pid=%d uid=%d user=%S netns=%S cgroup=%d container=%S ", this->start, args[1]->cs_pid,
	    args[1]->cs_uid, args[1]->cs_user, args[1]->cs_netns_name, args[1]->cs_cgroup, args[1]->cs_container);
	printf("laddr=%s lport=%d raddr=%s rport=%d sent=0 received=0 comm=%S\n", args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport, args[1]->cs_execname);
	@attempts = sum(1);
}

tcp:::listen-overflow
/half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] != 0/
{
	half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] = 0;
	@pending = sum(-1);
}

/* Only SYNs from a device: a SYN that this host sends belongs to the line of its connection. */
tcp:::drop
/OPENS && args[5]->drop_reason == "NETFILTER_DROP" && ((struct sk_buff *)args[0]->pkt_addr)->skb_iif != 0/
{
	this->start = walltimestamp;
	printf("start=%#Y ms=0 how=in verdict=dropped pid=-1 uid=4294967295 user=unknown netns=%S cgroup=0 container=unknown laddr=%s lport=%d raddr=%s rport=%d ",
	    this->start, args[1]->cs_netns_name, args[2]->ip_daddr, args[4]->tcp_dport, args[2]->ip_saddr, args[4]->tcp_sport);
	printf("sent=0 received=0 ct=%s chain=%S comm=-\n", args[0]->pkt_ct_state,
	    strjoin(args[5]->drop_table, strjoin("/", args[5]->drop_chain)));
	@attempts = sum(1);
}

/* A reset of a connection that is established has no effect on an attempt. */
tcp:::receive
/args[4]->tcp_flags & TH_RST &&
 (args[3]->tcps_irs == 0 || args[3]->tcps_state == TCP_STATE_SYN_RECEIVED) &&
 half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] != 0/
{
	this->start = half_wall[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport];
	this->ms = (timestamp -
	    half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport]) / 1000000;
	printf("start=%#Y ms=%d how=in verdict=half-open pid=%d uid=%d user=%S netns=%S cgroup=%d container=%S ",
	    this->start, this->ms, args[1]->cs_pid,
	    args[1]->cs_uid, args[1]->cs_user, args[1]->cs_netns_name, args[1]->cs_cgroup, args[1]->cs_container);
	printf("laddr=%s lport=%d raddr=%s rport=%d sent=0 received=0 comm=%S\n", args[2]->ip_daddr, args[4]->tcp_dport,
	    args[2]->ip_saddr, args[4]->tcp_sport, args[1]->cs_execname);
	half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] = 0;
	@pending = sum(-1);
	@attempts = sum(1);
}

END
{
	printa("attempts: %@d, still open: %@d, SYNs with no outcome: %@d\n", @attempts, @open_now, @pending);
}
