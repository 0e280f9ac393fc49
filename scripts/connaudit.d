#!/usr/bin/env -S dtrace -s
/*
 * connaudit.d - a line for every TCP connection and every attempt at one: who, when, how long, how much, and its end.
 *
 * usage: dtrace connaudit [-r CAPTURE]
 *
 * One line each, wider than a terminal, when it has ended.  start is local time in the form of ISO 8601, so that lines
 * can be sorted by it.  ms is how long it was, sent and received are bytes of data by sequence numbers, netns and
 * container are names (cs_netns_name, cs_container).  comm, which its process chose, comes last.
 * how: out, in.  verdict: closed; aborted: reset from here, or nobody answered any more; reset-by-peer; refused,
 * unanswered (out; a firewall here may have kept it back); refusal (in: nobody listens), overflow (in: the
 * listener's queue is full; live only), half-open (in: answered, then reset before it was established), dropped
 * (in: a firewall threw the SYN away, whether it answered with a reset or not: each SYN; on a router also of
 * what should pass; live only).  The last line counts attempts, connections that are still open, and SYNs that came and
 * had no outcome yet.  If anything was lost, dtrace reports it and its status is 3.
 * -x oformat=json makes an object of each.
 *
 *	start=2023-11-14T22:13:20.007+00:00 ms=6 how=out verdict=closed pid=4711 uid=1000 user=alice
 *	netns=systemd/1 cgroup=5233 container=- laddr=192.0.2.1 lport=40000 raddr=192.0.2.2 rport=80 sent=18 received=1000 comm=curl
 */
#pragma D option quiet
#pragma D option strict
#pragma D option zdefs

inline int DATA = args[2]->ip_plength - args[4]->tcp_offset;
inline uint64_t CID = args[1]->cs_cid;

int out[uint64_t], up[uint64_t], refused[uint64_t], reset[uint64_t]; /* by connection */
uint64_t half[string, uint16_t, string, uint16_t], half_wall[string, uint16_t, string, uint16_t]; /* from, to */

/* Counted by aggregations: a variable that two CPUs change at once loses some of it. */
BEGIN
{
	@attempts = sum(0);
	@open_now = sum(0);
	@pending = sum(0);
}

/* ------------------------------------------------------------- how they begin */

/* Before its SYN: a firewall here may stop that. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_SENT && begun[CID] == 0/
{
	begun[CID] = timestamp;
	wall[CID] = walltimestamp;
	out[CID] = 1;
}

/* A child is there before it is established. */
tcp:::accept-established
{
	begun[CID] = timestamp;
	wall[CID] = walltimestamp;
	up[CID] = 1;
}

tcp:::accept-established
/half[args[3]->tcps_raddr, args[3]->tcps_rport, args[3]->tcps_laddr, args[3]->tcps_lport] != 0/
{
	half[args[3]->tcps_raddr, args[3]->tcps_rport, args[3]->tcps_laddr, args[3]->tcps_lport] = 0;
	@pending = sum(-1);
}

tcp:::connect-established
{
	up[CID] = 1;
}

/* What went with the handshake (Fast Open) counts. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_ESTABLISHED/
{
	@open_now = sum(1);
	sent[CID] = (uint32_t)(args[3]->tcps_snxt - args[3]->tcps_iss - 1);
	received[CID] = args[5]->tcps_state == TCP_STATE_SYN_RECEIVED ?
	    (uint32_t)(args[3]->tcps_rnxt - args[3]->tcps_irs - 1) : 0;
	sent_to[CID] = args[3]->tcps_snxt;
	received_to[CID] = args[3]->tcps_rnxt;
}

/* ------------------------------------------------------------- what they carry */

tcp:::send
/DATA > 0 && up[CID] && (int)(args[4]->tcp_seq + DATA - sent_to[CID]) > 0/
{
	sent[CID] += (uint32_t)(args[4]->tcp_seq + DATA - sent_to[CID]);
	sent_to[CID] = args[4]->tcp_seq + DATA;
}

tcp:::receive
/DATA > 0 && up[CID] && (int)(args[4]->tcp_seq + DATA - received_to[CID]) > 0/
{
	received[CID] += (uint32_t)(args[4]->tcp_seq + DATA - received_to[CID]);
	received_to[CID] = args[4]->tcp_seq + DATA;
}

/* -------------------------------------------------------------- how they end */

tcp:::connect-refused
{
	refused[CID] = 1;
}

tcp:::reset-received
{
	reset[CID] = 1;
}

/* Without the other's FIN, or an answer to ours. */
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
	    args[3]->tcps_raddr, args[3]->tcps_rport, sent[CID], received[CID], args[1]->cs_execname);
	@attempts = sum(1);
	@open_now = sum(-up[CID]);
	begun[CID] = 0;
	wall[CID] = 0;
	out[CID] = 0;
	up[CID] = 0;
	sent[CID] = 0;
	received[CID] = 0;
	sent_to[CID] = 0;
	received_to[CID] = 0;
	refused[CID] = 0;
	reset[CID] = 0;
}

/* ------------------------------------------- what does not become a connection here */

inline int OPENS = (args[4]->tcp_flags & (TH_SYN | TH_ACK | TH_RST | TH_FIN)) == TH_SYN;

tcp:::receive
/OPENS && half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] == 0/
{
	half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] = timestamp;
	half_wall[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] = walltimestamp;
	@pending = sum(1);
}

/* The reset is ours: its source is this host. */
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

/* Each time. */
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

/* What has come by a device: one that is sent is its connection's. */
tcp:::drop
/OPENS && args[5]->drop_reason == "NETFILTER_DROP" && ((struct sk_buff *)args[0]->pkt_addr)->skb_iif != 0/
{
	this->start = walltimestamp;
	printf("start=%#Y ms=0 how=in verdict=dropped pid=-1 uid=4294967295 user=unknown netns=%S cgroup=0 container=unknown laddr=%s lport=%d raddr=%s rport=%d ",
	    this->start, args[1]->cs_netns_name, args[2]->ip_daddr, args[4]->tcp_dport, args[2]->ip_saddr, args[4]->tcp_sport);
	printf("sent=0 received=0 comm=-\n");
	@attempts = sum(1);
}

tcp:::receive
/args[4]->tcp_flags & TH_RST &&
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
