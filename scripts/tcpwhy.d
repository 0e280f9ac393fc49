#!/usr/bin/env -S dtrace -s
/*
 * tcpwhy.d - why TCP connections took as long as they did: what each of them waited for.
 *
 * usage: dtrace tcpwhy [wide] [-r CAPTURE]
 *
 * Prints two lines for each connection when it ends, and for each attempt. With the argument wide,
 * the two lines are one, which is wider than 80 columns. Times are microseconds and add up to
 * TOTAL.
 *
 * CONNECT: until the connection was established. SERVER, CLIENT: that side's program had to act
 * next; the client is the side that opened the connection. WINDOW: a receive window was closed.
 * RESENT: from a lost segment to the acknowledgement of its replacement, or until the gap was
 * filled. NETWORK: data was on its way, or not yet acknowledged. Each wait for the other side
 * includes a round trip. So the connection's least round trip time is subtracted from this wait,
 * and counts as NETWORK.
 *
 * HOW is out if this host opened the connection, and in if another host did. If the last segment of
 * an answer is lost on its way to this host, this host cannot notice the loss. So the time until
 * the segment comes again counts for the other side. If two CPUs handle a connection at once, both
 * see the same wait; the script counts this wait once.
 *
 * With -x slower=1s, the script prints only connections that took 1 s or longer.
 *
 * The script prints a line "dropped" when the kernel of this host drops a segment of a connection.
 * The line has the time, the kernel's reason, the state of connection tracking, and the firewall's
 * table and chain (- if no firewall dropped it). The chain is <unknown> if the kernel cannot trace
 * functions, and then the end of the output says so. PID is the owner of the socket, or -1 if the
 * kernel had not found the socket yet. Live only.
 *
 *	    PID COMMAND         HOW LPORT  PORT REMOTE
 *	     TOTAL    CONNECT     SERVER     CLIENT     WINDOW     RESENT    NETWORK
 *
 *	   4711 curl            out 40000    80 192.0.2.2
 *	     15000       2000       5000       3000          0          0       5000
 *
 *	   4711 curl            out 40000    80 192.0.2.2
 *	   dropped 2026 Jan 12 22:13:21 NETFILTER_DROP ct=new chain=filter/output
 */
#pragma D option quiet
#pragma D option defaultargs
/* tcp:::drop does not exist in a capture. */
#pragma D option zdefs

inline int WIDE = $$1 == "wide";
inline int ADDRESS = WIDE ? 39 : 0; /* width of the column for an address */
inline string NEXT = WIDE ? " " : "\n";

BEGIN
/$$1 != "" && !WIDE/
{
	printf("usage: dtrace tcpwhy [wide] [-r CAPTURE]\n");
	exit(1);
}

inline int UP = 1;	/* established, and no data yet */
inline int OUT = 2;	/* data was sent last */
inline int IN = 3;	/* data was received last */
inline int AGAIN = 4;	/* data was sent again and is not acknowledged yet */
inline int GAP = 5;	/* a segment came too early: one before it is missing */
inline int SHUT = 6;	/* the other side's window is closed */
inline int FULL = 7;	/* this side's window is closed */

inline int DATA = args[4]->tcp_plength + ((args[4]->tcp_flags & TH_FIN) != 0);
inline int CLOSES = args[4]->tcp_window == 0 && !(args[4]->tcp_flags & TH_RST);

uint64_t begun[uint64_t], last[uint64_t], connect[uint64_t], here[uint64_t], there[uint64_t], closed[uint64_t],
    again[uint64_t], network[uint64_t], way[uint64_t], timed[uint64_t], acked[uint64_t];
uint32_t timed_to[uint64_t], sent_to[uint64_t], received_to[uint64_t];
int what[uint64_t], out[uint64_t];
/*
 * To find the connection of a dropped segment: by its socket if this host sends it, else by its
 * addresses.
 */
uint64_t by_socket[uintptr_t], by_address[string, uint16_t, string, uint16_t];
/*
 * Attempts of other hosts have numbers. The lower 10 bits of a number are the CPU that got the SYN,
 * and the rest counts the SYNs of this CPU. half is the number by source and destination. The other
 * arrays are by number: times of the first and the last SYN, its IDENT, source and destination.
 */
uint64_t half[string, uint16_t, string, uint16_t];
uint64_t first[uint64_t], asked[uint64_t], ident[uint64_t];
string from[uint64_t], to[uint64_t];
/* For each CPU: how many attempts have a number, and how many of the oldest need no more attention. */
uint64_t newest[int], oldest[int];
int no_chain;

BEGIN
{
	printf("%7s %-15s %3s %5s %5s %-*s%s", "PID", "COMMAND", "HOW", "LPORT", "PORT", ADDRESS, "REMOTE", NEXT);
	printf("%10s %10s %10s %10s %10s %10s %10s\n", "TOTAL", "CONNECT", "SERVER", "CLIENT", "WINDOW", "RESENT", "NETWORK");
}

/* ------------------------------------------------------------- beginnings */

/* The state changes before a firewall of this host sees the SYN; connect-request fires afterwards. */
tcp:::state-change
/args[3]->tcps_state == TCP_STATE_SYN_SENT/
{
	begun[args[1]->cs_cid] = timestamp;
	out[args[1]->cs_cid] = 1;
	by_socket[args[1]->cs_addr] = args[1]->cs_cid;
}

tcp:::connect-request
{
	begun[args[1]->cs_cid] = begun[args[1]->cs_cid] != 0 ? begun[args[1]->cs_cid] : timestamp;
	timed[args[1]->cs_cid] = timestamp;
	out[args[1]->cs_cid] = 1;
}

/* The round trip is measured from the last SYN, so a retransmitted SYN restarts the measurement. */
tcp:::retransmit
/begun[args[1]->cs_cid] != 0 && args[3]->tcps_state == TCP_STATE_SYN_SENT/
{
	timed[args[1]->cs_cid] = timestamp;
}

tcp:::connect-established
/begun[args[1]->cs_cid] != 0/
{
	/* A restored socket (TCP_REPAIR) has sent no SYN. */
	way[args[1]->cs_cid] = timed[args[1]->cs_cid] != 0 ? timestamp - timed[args[1]->cs_cid] : 0;
}

/*
 * An incoming SYN has no connection yet, so its time is kept by addresses and ports. A
 * retransmitted SYN has the same sequence number as the first one, and comes within AGAIN_WITHIN:
 * TCP waits at most 120 s. Any other SYN begins a new attempt. LATE is a copy of the SYN of a
 * connection that is already established.
 */
inline uint64_t AGAIN_WITHIN = 130000000000;
inline uint64_t IDENT = (uint64_t)args[4]->tcp_seq << 32 | (uint32_t)args[4]->tcp_sport << 16 | args[4]->tcp_dport;
inline uint16_t FROM_PORT[uint64_t n] = (uint16_t)(ident[n] >> 16);
inline uint16_t TO_PORT[uint64_t n] = (uint16_t)ident[n];
inline int LATE = args[3]->tcps_irs != 0 && args[4]->tcp_seq == args[3]->tcps_irs &&
    args[3]->tcps_state != TCP_STATE_SYN_RECEIVED;

tcp:::receive
/(args[4]->tcp_flags & (TH_SYN | TH_ACK | TH_RST | TH_FIN)) == TH_SYN && !LATE/
{
	this->opens = 1;
	this->h = half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport];
	this->again = this->h != 0 && ident[this->h] == IDENT && timestamp - asked[this->h] < AGAIN_WITHIN;
	this->h = this->again ? this->h : ++newest[cpu] << 10 | cpu;
	asked[this->h] = timestamp;
}

tcp:::receive
/this->opens && !this->again/
{
	half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport] = this->h;
	first[this->h] = timestamp;
	ident[this->h] = IDENT;
	from[this->h] = args[2]->ip_saddr;
	to[this->h] = args[2]->ip_daddr;
}

/* The other host ends its attempt with a reset. */
tcp:::receive
/args[4]->tcp_flags & TH_RST/
{
	this->h = half[args[2]->ip_saddr, args[4]->tcp_sport, args[2]->ip_daddr, args[4]->tcp_dport];
	this->gone = this->h != 0 && (uint32_t)(ident[this->h] >> 32) == args[4]->tcp_seq - 1 ? this->h : 0;
}

/*
 * Fast Open: the process closes the connection before the handshake ends, or the handshake never
 * ends, but data was exchanged. All the time counts as CONNECT.
 */
inline int CARRIED = args[3]->tcps_bytes_received != 0 || args[3]->tcps_bytes_acked != 0 ||
    args[3]->tcps_snxt != args[3]->tcps_suna;

tcp:::state-change
/args[5]->tcps_state == TCP_STATE_SYN_RECEIVED && args[3]->tcps_state != TCP_STATE_ESTABLISHED &&
 (args[3]->tcps_state != TCP_STATE_CLOSED || CARRIED) && begun[args[1]->cs_cid] == 0/
{
	this->h = half[args[3]->tcps_raddr, args[3]->tcps_rport, args[3]->tcps_laddr, args[3]->tcps_lport];
	begun[args[1]->cs_cid] = this->h != 0 ? first[this->h] : 0;
}

/* If no SYN was seen, the connection is older than the script, and has no line. */
tcp:::accept-established
{
	this->gone = half[args[3]->tcps_raddr, args[3]->tcps_rport, args[3]->tcps_laddr, args[3]->tcps_lport];
	begun[args[1]->cs_cid] = this->gone != 0 ? first[this->gone] : 0;
	way[args[1]->cs_cid] = this->gone != 0 ? timestamp - asked[this->gone] : 0;
}

tcp:::accept-refused
{
	this->gone = half[args[2]->ip_daddr, args[4]->tcp_dport, args[2]->ip_saddr, args[4]->tcp_sport];
}

/*
 * Each SYN looks at this CPU's oldest attempt, and forgets the attempt if it is too old to succeed.
 * So attempts that nobody completes do not fill the arrays.
 */
tcp:::receive
/this->opens && oldest[cpu] != newest[cpu]/
{
	this->h = oldest[cpu] + 1 << 10 | cpu;
	this->since = first[this->h];
	this->over = this->since == 0 || timestamp - this->since >= 2 * AGAIN_WITHIN ||
	    timestamp - asked[this->h] >= AGAIN_WITHIN;
	oldest[cpu] += this->over;
	this->gone = this->over && this->since != 0 ? this->h : 0;
}

/* The attempt this->gone is over. A newer attempt may have its addresses and ports. */
tcp:::receive, tcp:::accept-established, tcp:::accept-refused
/this->gone/
{
	if (half[from[this->gone], FROM_PORT[this->gone], to[this->gone], TO_PORT[this->gone]] == this->gone)
		half[from[this->gone], FROM_PORT[this->gone], to[this->gone], TO_PORT[this->gone]] = 0;
	first[this->gone] = 0;
	asked[this->gone] = 0;
	ident[this->gone] = 0;
	from[this->gone] = 0;
	to[this->gone] = 0;
}

tcp:::connect-established, tcp:::accept-established
/begun[args[1]->cs_cid] != 0/
{
	this->c = args[1]->cs_cid;
	connect[this->c] = timestamp - begun[this->c];
	last[this->c] = timestamp;
	timed[this->c] = 0;
	sent_to[this->c] = args[3]->tcps_snxt;
	received_to[this->c] = args[3]->tcps_rnxt;
	what[this->c] = UP;
	by_socket[args[1]->cs_addr] = this->c;
	by_address[args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport] = this->c;
}

/*
 * The last segment of the handshake may have data, if the segment before it was lost. This
 * segment's tcp:::receive fired before the connection existed.
 */
tcp:::accept-established
/begun[args[1]->cs_cid] != 0 && DATA > 0 && !(args[4]->tcp_flags & TH_SYN) &&
 (int)(args[4]->tcp_seq + DATA - args[3]->tcps_rnxt) > 0/
{
	received_to[this->c] = args[4]->tcp_seq + DATA;
	what[this->c] = (int)(args[4]->tcp_seq - args[3]->tcps_rnxt) > 0 ? GAP : IN;
}

/* ------------------------------------------------------------- segments */

/*
 * A keep-alive may repeat the last byte, although the other side has acknowledged this byte (RFC
 * 9293 3.8.4). The side that receives the byte does not know whether its acknowledgement arrived.
 * But a keep-alive does not have the flag PSH; the end of data has it.
 */
inline int LAST_BYTE = DATA == 1 && !(args[4]->tcp_flags & (TH_FIN | TH_SYN | TH_RST));
inline int KEEPS_ALIVE = LAST_BYTE && (probename == "send" ?
    args[3]->tcps_suna == args[3]->tcps_snxt && args[4]->tcp_seq + 1 == args[3]->tcps_snxt :
    !(args[4]->tcp_flags & TH_PUSH) && args[4]->tcp_seq + 1 == received_to[args[1]->cs_cid]);

tcp:::send, tcp:::receive
{
	this->now = timestamp; /* the same time for all clauses */
	this->c = args[1]->cs_cid;
	this->what = what[this->c];
	this->gap = this->now - last[this->c];
	this->next = this->what;
	/* The part of the other side's time that is a round trip. */
	this->way = this->gap < way[this->c] ? this->gap : way[this->c];
	this->data = KEEPS_ALIVE ? 0 : DATA;
	this->new = (int)(args[4]->tcp_seq + this->data - sent_to[this->c]);
}

/* Each segment below ends a wait. The time of the wait is added to the counter of its cause. */
tcp:::send
/this->what == FULL && !CLOSES/
{
	closed[this->c] += this->gap;
	this->next = IN;
}

tcp:::send
/this->data > 0 && (this->what == AGAIN || this->what == GAP ||
 (this->what != 0 && this->what < SHUT && this->new <= 0))/
{
	again[this->c] += this->gap;
	this->next = this->what == GAP ? GAP : AGAIN;
	last[this->c] = this->now;
}

tcp:::send
/(this->what == UP || this->what == IN) && this->data > 0 && this->new > 0/
{
	here[this->c] += this->gap;
	this->next = OUT;
}

tcp:::send
/this->what == OUT && this->data > 0 && this->new > 0/
{
	/* All data was acknowledged at acked[]. Since then the program here has sent nothing. */
	this->idle = acked[this->c] == 0 ? 0 : acked[this->c] < last[this->c] ? this->gap : this->now - acked[this->c];
	here[this->c] += this->idle;
	network[this->c] += this->gap - this->idle;
	last[this->c] = this->now;
}

tcp:::send
/this->what != 0 && this->data > 0 && this->new > 0/
{
	timed_to[this->c] = timed[this->c] != 0 ? timed_to[this->c] : args[4]->tcp_seq + this->data;
	timed[this->c] = this->what == AGAIN ? 0 : timed[this->c] != 0 ? timed[this->c] : this->now;
	sent_to[this->c] = args[4]->tcp_seq + this->data;
	acked[this->c] = 0;
}

tcp:::send
/this->what != 0 && this->data > 0 && this->new <= 0/
{
	timed[this->c] = 0;
}

tcp:::send
/this->what != 0 && this->what != FULL && this->what != SHUT && CLOSES/
{
	here[this->c] += this->next == this->what && this->data == 0 ? this->gap : 0;
	this->next = FULL;
}

/* Measures the round trip, but never from a segment that was sent twice. */
tcp:::receive
/this->what != 0 && timed[this->c] != 0 && (int)(args[4]->tcp_ack - timed_to[this->c]) >= 0/
{
	this->took = this->now - timed[this->c];
	way[this->c] = way[this->c] == 0 || this->took < way[this->c] ? this->took : way[this->c];
	timed[this->c] = 0;
}

tcp:::receive
{
	this->all = (int)(args[4]->tcp_ack - sent_to[this->c]) >= 0;
	this->ahead = (int)(args[4]->tcp_seq - received_to[this->c]);
	this->old = (int)(args[4]->tcp_seq + this->data - received_to[this->c]) <= 0;
}

tcp:::receive
/this->what != 0 && this->all && acked[this->c] == 0/
{
	acked[this->c] = this->now;
}

tcp:::receive
/this->what == SHUT && !CLOSES/
{
	closed[this->c] += this->gap;
	this->next = OUT;
}

tcp:::receive
/this->what == AGAIN && (this->all || this->data > 0)/
{
	again[this->c] += this->gap;
	last[this->c] = this->now;
	this->next = !this->all ? AGAIN : this->data > 0 ? IN : OUT;
}

tcp:::receive
/this->what == GAP && this->data > 0/
{
	again[this->c] += this->gap;
	last[this->c] = this->now;
	this->next = this->ahead > 0 ? GAP : IN;
}

tcp:::receive
/(this->what == UP || this->what == OUT || this->what == IN) && this->data > 0 && !this->old/
{
	network[this->c] += this->way;
	there[this->c] += this->gap - this->way;
	last[this->c] = this->now;
	this->next = this->ahead > 0 ? GAP : IN;
}

/* The data was received before, and the acknowledgement of this data was lost. */
tcp:::receive
/(this->what == UP || this->what == OUT || this->what == IN) && this->data > 0 && this->old/
{
	again[this->c] += this->gap;
	last[this->c] = this->now;
}

tcp:::receive
/(this->what == UP || this->what == OUT || this->what == IN) && this->data == 0 && CLOSES/
{
	network[this->c] += this->gap;
}

tcp:::receive
/this->what != 0 && CLOSES/
{
	this->next = this->next == FULL ? FULL : SHUT;
}

tcp:::receive
/this->what != 0 && this->data > 0 && !this->old/
{
	received_to[this->c] = args[4]->tcp_seq + this->data;
}

tcp:::send, tcp:::receive
/this->next != this->what/
{
	what[this->c] = this->next;
	last[this->c] = this->now;
}

/* ------------------------------------------------------------- drops */

inline string chain = args[5]->drop_table == "-" ? "-" : args[5]->drop_table == "<unknown>" ? "<unknown>" :
	strjoin(args[5]->drop_table, strjoin("/", args[5]->drop_chain));
inline struct sock *SOCKET = ((struct sk_buff *)args[0]->pkt_addr)->sk;

tcp:::drop
{
	this->d = SOCKET != NULL ? by_socket[(uintptr_t)SOCKET] :
	    by_address[args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport];
}

tcp:::drop
/this->d != 0/
{
	no_chain |= args[5]->drop_table == "<unknown>";
	this->how = out[this->d] ? "out" : "in";
	printf("%s%7d %-15S %3s %5d %5d %-*s%s%10s %Y %s ct=%s chain=%S\n", WIDE ? "" : "\n", args[1]->cs_pid,
	    args[1]->cs_execname, this->how, args[3]->tcps_lport, args[3]->tcps_rport, ADDRESS,
	    args[3]->tcps_raddr, NEXT, "dropped", walltimestamp, args[5]->drop_reason, args[0]->pkt_ct_state,
	    chain);
}

/* ------------------------------------------------------------- ends */

tcp:::state-change
/(args[3]->tcps_state == TCP_STATE_CLOSED || args[3]->tcps_state == TCP_STATE_TIME_WAIT) && begun[args[1]->cs_cid] != 0/
{
	this->now = timestamp;
	this->c = args[1]->cs_cid;
	this->what = what[this->c];
	this->gap = this->now - (this->what != 0 ? last[this->c] : begun[this->c]);
	this->way = this->what != OUT ? 0 : this->gap < way[this->c] ? this->gap : way[this->c];
	this->total = this->now - begun[this->c];
	this->connect = connect[this->c] + (this->what == 0 ? this->gap : 0);
	this->near = here[this->c] + (this->what == UP || this->what == IN ? this->gap : 0);
	this->far = there[this->c] + (this->what == OUT ? this->gap - this->way : 0);
	this->window = closed[this->c] + (this->what >= SHUT ? this->gap : 0);
	this->resent = again[this->c] + (this->what == AGAIN || this->what == GAP ? this->gap : 0);
	this->network = network[this->c] + this->way;
}

/*
 * Two CPUs may count the same wait twice, or one may overwrite the count of the other. This only
 * happens to a long wait, so the error is in the largest of the columns. The script corrects this
 * column.
 */
inline int64_t LARGER[int64_t x, int64_t y] = x > y ? x : y;

tcp:::state-change
/this->total != 0/
{
	this->wrong = (int64_t)(this->connect + this->near + this->far + this->window + this->resent + this->network -
	    this->total);
	this->most = LARGER[LARGER[LARGER[this->connect, this->near], LARGER[this->far, this->window]],
	    LARGER[this->resent, this->network]];
	this->right = this->most > this->wrong ? this->most - this->wrong : 0;
	this->connect = this->connect == this->most ? this->right : this->connect;
	this->near = this->near == this->most ? this->right : this->near;
	this->far = this->far == this->most ? this->right : this->far;
	this->window = this->window == this->most ? this->right : this->window;
	this->resent = this->resent == this->most ? this->right : this->resent;
	this->network = this->network == this->most ? this->right : this->network;
}

/* The names of the values in CSV and JSON. */
inline uint64_t server = out[this->c] ? this->far : this->near;
inline uint64_t client = out[this->c] ? this->near : this->far;

tcp:::state-change
/this->total != 0 && this->total >= slower/
{
	this->how = out[this->c] ? "out" : "in";
	printf("%s%7d %-15S %3s %5d %5d %-*s%s%10d %10d %10d %10d %10d %10d %10d\n", WIDE ? "" : "\n", args[1]->cs_pid,
	    args[1]->cs_execname, this->how, args[3]->tcps_lport, args[3]->tcps_rport, ADDRESS,
	    args[3]->tcps_raddr, NEXT, this->total / 1000, this->connect / 1000,
	    server / 1000, client / 1000,
	    this->window / 1000, this->resent / 1000, this->network / 1000);
}

tcp:::state-change
/this->total != 0/
{
	begun[this->c] = 0;
	last[this->c] = 0;
	connect[this->c] = 0;
	here[this->c] = 0;
	there[this->c] = 0;
	closed[this->c] = 0;
	again[this->c] = 0;
	network[this->c] = 0;
	way[this->c] = 0;
	timed[this->c] = 0;
	timed_to[this->c] = 0;
	acked[this->c] = 0;
	sent_to[this->c] = 0;
	received_to[this->c] = 0;
	what[this->c] = 0;
	out[this->c] = 0;
	by_socket[args[1]->cs_addr] = 0;
	by_address[args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr, args[3]->tcps_rport] = 0;
}

END
/no_chain/
{
	printf("\nchains are <unknown>: this kernel cannot trace functions, or the firewall was loaded after dtrace (docs/limits.md)\n");
}
