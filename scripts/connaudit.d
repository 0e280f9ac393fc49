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
 * Connections that began before the run have no line.
 *
 * how is out or in. verdict is one of these:
 *
 * for out and in: closed, aborted (this host reset it, or the other side stopped answering),
 * reset-by-peer;
 *
 * for out: refused, unreachable (an ICMP error, or no route), or unanswered (a firewall here may
 * also have dropped it). If an ICMP error ended the attempt, the line also has icmp, the name of its
 * type and its code: icmp=unreachable/3. With a filter by port or process (-x port=, pid=), the line
 * lacks icmp. A socket that was restored (TCP_REPAIR, as CRIU uses it) counts as out.
 *
 * for in: refusal (nobody listens), overflow (the listener's queue is full; live only), half-open
 * (answered, then reset before it was established), unanswered (not established two to five minutes
 * after the SYN; the line comes with a later SYN), dropped (a firewall dropped the SYN, and may have
 * sent a reset; live only). A connection by TCP Fast Open that has carried data, or that its process
 * has closed, counts as established.
 *
 * With the verdict dropped, each dropped SYN has a line; on a router, SYNs to other hosts have
 * lines, too. The line also has ct, the state of connection tracking, and chain, the firewall's
 * table and chain that dropped the SYN. The chain is <unknown> if the kernel cannot trace functions,
 * and then the end of the output says so.
 *
 * The last line counts attempts, connections that are still open, and SYNs with no outcome yet, of
 * this host and of others.
 *
 *	start=2023-11-14T22:13:20.007+00:00 ms=6 how=out verdict=closed pid=4711
 *	uid=1000 user=alice netns=systemd/1 cgroup=5233 container=- laddr=192.0.2.1
 *	lport=40000 raddr=192.0.2.2 rport=80 sent=18 received=1000 comm=curl
 */
#pragma D option quiet
#pragma D option strict
#pragma D option zdefs

inline uint64_t CID = args[1]->cs_cid;

/* For each connection. syn is 1 if this host has sent a SYN, which TCP counts as a byte. */
int out[uint64_t], syn[uint64_t], up[uint64_t], refused[uint64_t], reset[uint64_t];
int icmp[uint64_t];	/* IP version, type and code of an ICMP error */
/* By addresses and ports of this host and the other one: the connection that waits for an answer. */
uint64_t trying[string, uint16_t, string, uint16_t];
/*
 * SYNs of other hosts without an outcome have numbers. The lower 10 bits of a number are the CPU
 * that got the SYN, and the rest counts the SYNs of this CPU. half is the number by source and
 * destination. The other arrays are by number: when the SYN came first and last, its IDENT, source
 * and destination.
 */
uint64_t half[string, uint16_t, string, uint16_t];
uint64_t first[uint64_t], latest[uint64_t], ident[uint64_t];
string from[uint64_t], to[uint64_t];
/* For each CPU: how many SYNs have a number, and how many of the oldest need no more attention. */
uint64_t newest[int], oldest[int];
int no_chain;

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
	@pending = sum(1);
}

tcp:::connect-request
/begun[CID] != 0/
{
	syn[CID] = 1;
	trying[args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport] = CID;
}

/* An ICMP error about a SYN. */
icmp:::receive
/args[4]->icmp_about_protocol == IPPROTO_TCP &&
 trying[args[4]->icmp_about_saddr, args[4]->icmp_about_sport, args[4]->icmp_about_daddr, args[4]->icmp_about_dport] != 0/
{
	icmp[trying[args[4]->icmp_about_saddr, args[4]->icmp_about_sport, args[4]->icmp_about_daddr, args[4]->icmp_about_dport]] =
	    args[2]->ip_ver << 16 | args[4]->icmp_type << 8 | args[4]->icmp_code;
}

/* The socket exists before the connection is established. */
tcp:::accept-established
{
	begun[CID] = timestamp;
	wall[CID] = walltimestamp;
	up[CID] = 1;
	@open_now = sum(1);
}

/*
 * Fast Open: a child carries data before the handshake ends, and the handshake may never end. It is
 * a connection if it has carried data, or if its process has closed it.
 */
inline int CARRIED = args[3]->tcps_bytes_received != 0 || args[3]->tcps_bytes_acked != 0 ||
	args[3]->tcps_snxt != args[3]->tcps_suna;

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_RECEIVED && args[3]->tcps_state != TCP_STATE_ESTABLISHED &&
 (args[3]->tcps_state != TCP_STATE_CLOSED || CARRIED) && begun[CID] == 0/
{
	this->early = half[args[3]->tcps_raddr, args[3]->tcps_rport, args[3]->tcps_laddr, args[3]->tcps_lport];
}

/* A later SYN forgets the attempt. Doing so here would make the program much longer. */
tcp:::state-change
/this->early && first[this->early] != 0/
{
	begun[CID] = first[this->early];
	wall[CID] = walltimestamp - (timestamp - first[this->early]);
	first[this->early] = 0;
	up[CID] = 1;
	@open_now = sum(1);
	@pending = sum(-1);
}

/*
 * The second probe fires for a simultaneous open, if the other host's SYN arrived before this host
 * sends one.
 */
tcp:::accept-established, tcp:::connect-request
{
	this->gone = half[args[3]->tcps_raddr, args[3]->tcps_rport, args[3]->tcps_laddr, args[3]->tcps_lport];
}

/* A restored socket is established without a segment. */
tcp:::connect-established
/begun[CID] != 0/
{
	up[CID] = 1;
	syn[CID] = args[4]->tcp_hdr != NULL;
	trying[args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport] = 0;
	icmp[CID] = 0;
	@open_now = sum(1);
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
 * that opened the connection. With Fast Open, a SYN has data, which counts even if the SYN is
 * refused.
 */
inline uint64_t SENT = !up[CID] && !syn[CID] ? 0 : args[3]->tcps_bytes_acked +
	(uint32_t)(args[3]->tcps_snxt - args[3]->tcps_suna) - args[3]->tcps_fin_sent - syn[CID];
inline uint64_t RECEIVED = args[3]->tcps_bytes_received - args[3]->tcps_fin_received;

/* The socket was closed without the other side's FIN, or without an answer to our FIN. */
inline int ABORTS = args[3]->tcps_state == TCP_STATE_CLOSED && (args[5]->tcps_state == TCP_STATE_ESTABLISHED ||
	args[5]->tcps_state == TCP_STATE_CLOSE_WAIT || args[5]->tcps_state == TCP_STATE_FIN_WAIT_1 ||
	args[5]->tcps_state == TCP_STATE_SYN_RECEIVED);

/* The error that the process gets. It is 0 if the process closes the socket before. */
inline int ERROR = ((struct sock *)args[3]->tcps_addr)->sk_err;
inline string FAILURE = refused[CID] || ERROR == ECONNREFUSED ? "refused" : ERROR == ECONNABORTED ? "aborted" :
	ERROR == 0 || ERROR == ETIMEDOUT ? "unanswered" : "unreachable";

inline string ICMP[int type] = type == 0x403 || type == 0x601 ? "unreachable" :
	type == 0x40b || type == 0x603 ? "time-exceeded" : "parameter-problem";
inline string icmp_name = ICMP[icmp[CID] >> 8];
inline int icmp_code = icmp[CID] & 255;

/* A later answer, or the end of the process's patience, may make the ICMP error meaningless. */
tcp:::state-change
/(args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT) && begun[CID] != 0 && !up[CID]/
{
	this->failure = FAILURE;
	this->icmp = icmp[CID] != 0 && !refused[CID] && (this->failure == "refused" || this->failure == "unreachable");
	trying[args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport] = 0;
	@pending = sum(-1);
}

tcp:::state-change
/this->icmp/
{
	this->start = wall[CID];
	this->ms = (timestamp - begun[CID]) / 1000000;
	printf("start=%#Y ms=%d how=out verdict=%s pid=%d uid=%d user=%S netns=%S cgroup=%d container=%S ", this->start,
	    this->ms, this->failure, args[1]->cs_pid, args[1]->cs_uid,
	    args[1]->cs_user, args[1]->cs_netns_name, args[1]->cs_cgroup, args[1]->cs_container);
	printf("laddr=%s lport=%d raddr=%s rport=%d sent=%d received=%d icmp=%s/%d comm=%S\n", args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport, SENT, RECEIVED, icmp_name, icmp_code,
	    args[1]->cs_execname);
}

tcp:::state-change
/(args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT) && begun[CID] != 0 && !this->icmp/
{
	this->start = wall[CID];
	this->ms = (timestamp - begun[CID]) / 1000000;
	this->how = out[CID] ? "out" : "in";
	this->verdict = !up[CID] ? this->failure : reset[CID] ? "reset-by-peer" :
	    ABORTS ? "aborted" : "closed";
	printf("start=%#Y ms=%d how=%s verdict=%s pid=%d uid=%d user=%S netns=%S cgroup=%d container=%S ", this->start,
	    this->ms, this->how, this->verdict, args[1]->cs_pid, args[1]->cs_uid,
	    args[1]->cs_user, args[1]->cs_netns_name, args[1]->cs_cgroup, args[1]->cs_container);
	printf("laddr=%s lport=%d raddr=%s rport=%d sent=%d received=%d comm=%S\n", args[3]->tcps_laddr, args[3]->tcps_lport,
	    args[3]->tcps_raddr, args[3]->tcps_rport, SENT, RECEIVED, args[1]->cs_execname);
}

tcp:::state-change
/(args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT) && begun[CID] != 0/
{
	@attempts = sum(1);
	@open_now = sum(-up[CID]);
	begun[CID] = 0;
	wall[CID] = 0;
	out[CID] = 0;
	syn[CID] = 0;
	up[CID] = 0;
	icmp[CID] = 0;
}

/* These may be set for a connection that began before the run. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT/
{
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
inline uint64_t IDENT = (uint64_t)args[4]->tcp_seq << 32 | (uint32_t)args[4]->tcp_sport << 16 | args[4]->tcp_dport;
inline uint16_t FROM_PORT[uint64_t n] = (uint16_t)(ident[n] >> 16);
inline uint16_t TO_PORT[uint64_t n] = (uint16_t)ident[n];
inline int IS_COPY = args[3]->tcps_irs != 0 && args[4]->tcp_seq == args[3]->tcps_irs;

tcp:::receive
/OPENS/
{
	this->looks = 1;
	this->begins = args[3]->tcps_state != TCP_STATE_SYN_SENT && !IS_COPY;
}

tcp:::receive
/this->begins/
{
	this->n = half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport];
	this->begins = this->n == 0 || ident[this->n] != IDENT ||
	    timestamp - latest[this->n] >= AGAIN_WITHIN;
}

tcp:::receive
/this->n/
{
	latest[this->n] = timestamp;
}

tcp:::receive
/this->begins/
{
	this->n = ++newest[cpu] << 10 | cpu;
	half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] = this->n;
	first[this->n] = timestamp;
	latest[this->n] = timestamp;
	ident[this->n] = IDENT;
	from[this->n] = args[2]->ip_saddr;
	to[this->n] = args[2]->ip_daddr;
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
{
	this->gone = half[args[2]->ip_daddr, args[4]->tcp_dport, args[2]->ip_saddr, args[4]->tcp_sport];
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
{
	this->gone = half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport];
}

inline string chain = args[5]->drop_table == "<unknown>" ? "<unknown>" :
    strjoin(args[5]->drop_table, strjoin("/", args[5]->drop_chain));

/* Only SYNs from a device: a SYN that this host sends belongs to the line of its connection. */
tcp:::drop
/OPENS && args[5]->drop_reason == "NETFILTER_DROP" && ((struct sk_buff *)args[0]->pkt_addr)->skb_iif != 0/
{
	this->start = walltimestamp;
	printf("start=%#Y ms=0 how=in verdict=dropped pid=-1 uid=4294967295 user=unknown netns=%S cgroup=0 container=unknown laddr=%s lport=%d raddr=%s rport=%d ",
	    this->start, args[1]->cs_netns_name, args[2]->ip_daddr, args[4]->tcp_dport, args[2]->ip_saddr, args[4]->tcp_sport);
	printf("sent=0 received=0 ct=%s chain=%S comm=-\n", args[0]->pkt_ct_state, chain);
	no_chain |= args[5]->drop_table == "<unknown>";
	@attempts = sum(1);
}

/*
 * A reset of a connection that is established has no effect on an attempt. The end of a child by
 * Fast Open that has carried data has a line of its own.
 */
tcp:::receive
/args[4]->tcp_flags & TH_RST &&
 (args[3]->tcps_irs == 0 || (args[3]->tcps_state == TCP_STATE_SYN_RECEIVED && !CARRIED))/
{
	this->gone = half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport];
}

tcp:::receive
/this->gone && first[this->gone] != 0/
{
	this->ms = (timestamp - first[this->gone]) / 1000000;
	this->start = walltimestamp - (timestamp - first[this->gone]);
	printf("start=%#Y ms=%d how=in verdict=half-open pid=%d uid=%d user=%S netns=%S cgroup=%d container=%S ",
	    this->start, this->ms, args[1]->cs_pid,
	    args[1]->cs_uid, args[1]->cs_user, args[1]->cs_netns_name, args[1]->cs_cgroup, args[1]->cs_container);
	printf("laddr=%s lport=%d raddr=%s rport=%d sent=0 received=0 comm=%S\n", args[2]->ip_daddr, args[4]->tcp_dport,
	    args[2]->ip_saddr, args[4]->tcp_sport, args[1]->cs_execname);
	@attempts = sum(1);
}

/*
 * An attempt ends without an outcome if it is older than twice AGAIN_WITHIN, or if its last SYN is
 * older than AGAIN_WITHIN. Each SYN looks at this CPU's oldest attempt. So attempts that nobody
 * completes do not fill the arrays.
 */
inline uint64_t OLDEST = oldest[cpu] + 1 << 10 | cpu;
inline int IS_OVER = oldest[cpu] != newest[cpu] && ident[OLDEST] == 0;

tcp:::receive
/this->looks && oldest[cpu] != newest[cpu]/
{
	oldest[cpu] += IS_OVER;
	oldest[cpu] += IS_OVER;
	oldest[cpu] += IS_OVER;
	this->n = OLDEST;
	this->first = first[this->n];
	this->over = this->first == 0 || timestamp - this->first >= 2 * AGAIN_WITHIN ||
	    timestamp - latest[this->n] >= AGAIN_WITHIN;
	oldest[cpu] += this->over && oldest[cpu] != newest[cpu];
	this->gone = this->over && ident[this->n] != 0 ? this->n : 0;
}

tcp:::receive
/this->looks && this->gone && this->first/
{
	this->start = walltimestamp - (timestamp - this->first);
	this->ms = (timestamp - this->first) / 1000000;
	printf("start=%#Y ms=%d how=in verdict=unanswered pid=-1 uid=4294967295 user=unknown netns=unknown cgroup=0 container=unknown laddr=%s lport=%d raddr=%s rport=%d ",
	    this->start, this->ms, to[this->gone], TO_PORT[this->gone], from[this->gone], FROM_PORT[this->gone]);
	printf("sent=0 received=0 comm=-\n");
	@attempts = sum(1);
}

/* The attempt this->gone has an outcome. A newer attempt may have its addresses and ports. */
tcp:::accept-established, tcp:::connect-request, tcp:::accept-refused, tcp:::listen-overflow, tcp:::receive
/this->gone/
{
	@pending = sum(first[this->gone] != 0 ? -1 : 0);
	if (half[from[this->gone], FROM_PORT[this->gone], to[this->gone], TO_PORT[this->gone]] == this->gone)
		half[from[this->gone], FROM_PORT[this->gone], to[this->gone], TO_PORT[this->gone]] = 0;
	first[this->gone] = 0;
	latest[this->gone] = 0;
	ident[this->gone] = 0;
	from[this->gone] = 0;
	to[this->gone] = 0;
}

END
{
	printa("attempts: %@d, still open: %@d, SYNs with no outcome: %@d\n", @attempts, @open_now, @pending);
}

END
/no_chain/
{
	printf("chains are <unknown>: this kernel cannot trace functions, or the firewall was loaded after dtrace (docs/limits.md)\n");
}
