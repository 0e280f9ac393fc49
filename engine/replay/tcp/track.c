/*
 * track.c - follows the states of TCP connections, and fires their events.
 *
 * The tracker follows the handshake and the states separately. The handshake belongs to the
 * connection: which end opens, what the answer was, and whether the handshake completed or was
 * refused. The functions follow_*() handle it. A state belongs to the socket of one end, and
 * changes only by the segments that this end sends and receives. So the states are right even if
 * only one end is local, or if a capture has each packet twice: as it was sent, and as it arrived.
 */
#include "engine/replay/tcp/track.h"

#include <string.h>

#include "base/xalloc.h"

#define SECOND 1000000000ull
#define TIME_WAIT_NS (60 * SECOND)
/* longest time after the end of a connection at which its packets may arrive */
#define LATE_NS (120 * SECOND)
#define HALF (1u << 31)
/* maximum number of sequence numbers between a SYN and the first captured segment after it */
#define NEAR_SEQ (1u << 24)
#define NEAR_SUM (1u << 20) /* see is_strange() */

/* number of a bit of skc_flags; from enum sock_flags in include/net/sock.h */
enum { SOCK_DONE = 1 };
enum { ECONNREFUSED_ = 111, ECONNRESET_ = 104, EPIPE_ = 32 }; /* Linux's numbers */

/* -------------------------------------------------------------------- events */

static void fire(struct tcp_track *t, enum tcp_event what, struct tcp_end *e)
{
	struct tcp_firing f = {.what = what, .sk = e ? tcp_end_sk(e) : NULL};

	t->fire(t->ctx, &f);
}

static void set_state(struct tcp_track *t, struct tcp_end *e, enum tcp_state state)
{
	struct tcp_firing f = {TCP_EV_SET_STATE, tcp_end_sk(e), tcp_end_state(e), (int)state, NULL};

	t->fire(t->ctx, &f);
	tcp_end_set_state(e, state);
	if (state == TCP_ESTABLISHED) {
		t->c->was_established = true;
		tcp_end_sk(e)->sk_socket = &t->tab.shared->socket;
	}
}

/*
 * Reports, once, that the passive end @e leaves LISTEN. In the kernel, the socket of an accepted
 * connection starts as a copy of the listening socket.
 */
static void announce(struct tcp_track *t, struct tcp_end *e)
{
	if (e->active || e->announced)
		return;
	e->announced = true;
	tcp_end_set_state(e, TCP_LISTEN);
	set_state(t, e, TCP_SYN_RECV);
}

/*
 * Returns whether the kernel has only a request for @e, and no socket yet. No tracepoint reports
 * changes of state of a request.
 */
static bool is_request(const struct tcp_end *e)
{
	return tcp_end_state(e) == TCP_SYN_RECV && !e->active && !e->announced;
}

static void destroy(struct tcp_track *t, struct tcp_end *e)
{
	if (!is_request(e))
		fire(t, TCP_EV_DESTROY, e);
	e->status = TCP_END_GONE;
}

static void close_end(struct tcp_track *t, struct tcp_end *e)
{
	if (!is_request(e))
		set_state(t, e, TCP_CLOSE);
	destroy(t, e);
}

static void enter_time_wait(struct tcp_track *t, struct tcp_end *e)
{
	set_state(t, e, TCP_TIME_WAIT);
	fire(t, TCP_EV_DESTROY, e);
	tcp_table_time_wait_add(&t->tab, t->c, t->s->now);
}

/* ------------------------------------------------------------------ handshakes */

static bool is_opener(const struct tcp_track *t)
{
	return t->from == t->c->opener;
}

/* Returns whether 0 < @ack - @base <= @span. */
static bool acks_within(uint32_t ack, uint32_t base, uint32_t span)
{
	return ack - base - 1 < span;
}

static void new_attempt(struct tcp_track *t)
{
	struct tcp_conn *c = t->c;
	unsigned i;

	tcp_table_time_wait_remove(&t->tab, c);
	c->attempt = TCP_ATT_OPENING;
	c->opener = (uint8_t)t->from;
	c->has_synack = c->has_syn2 = c->no_syn = c->was_reset = c->was_established = false;
	c->iss = t->s->seq;
	c->syn_len = t->s->len;
	for (i = 0; i < 2; i++) {
		struct tcp_end *e = &c->end[i];

		c->acked[i] = false;
		e->connecting = e->accepting = false;
		if (e->status == TCP_END_OPEN)
			e->stale = true;
		else
			e->status = TCP_END_NONE;
	}
	/* The other end needs these options, even if the end that sent the SYN is not local. */
	tcp_seg_syn_opts(t->s, &c->end[t->from].syn);
}

/*
 * Returns whether the SYN is the opener's. If the SYN+ACK came first, the opener's SYN may have
 * data that the SYN+ACK acknowledges (Fast Open).
 */
static bool is_openers_syn(const struct tcp_track *t)
{
	const struct tcp_conn *c = t->c;
	const struct tcp_seg *s = t->s;

	return is_opener(t) && acks_within(c->iss + 1, s->seq, 1 + (c->no_syn ? s->len : 0));
}

/*
 * Returns whether the SYN belongs to a completed handshake, so it is late or repeated. If the
 * capture lacks the handshake, a SYN with a number shortly before the data of its sender is late.
 */
static bool is_old_syn(const struct tcp_track *t)
{
	const struct tcp_conn *c = t->c;
	const struct tcp_end *e = &c->end[t->from];

	if (c->attempt == TCP_ATT_NONE)
		return e->status == TCP_END_OPEN && e->tp.snd_una - t->s->seq - 1 < NEAR_SEQ;
	if (c->attempt != TCP_ATT_DONE)
		return false;
	return is_openers_syn(t) || (!is_opener(t) && c->has_syn2 && t->s->seq == c->syn2);
}

static void follow_syn(struct tcp_track *t)
{
	struct tcp_conn *c = t->c;
	const struct tcp_seg *s = t->s;

	if (s->flags & TCP_FIN || is_old_syn(t))
		return;
	if (c->attempt == TCP_ATT_OPENING && is_openers_syn(t)) {
		c->iss = s->seq;
		if (s->len > c->syn_len)
			c->syn_len = s->len;
	} else if (c->attempt == TCP_ATT_OPENING && !is_opener(t) && !c->has_synack &&
		   !c->has_syn2) {
		c->has_syn2 = true;
		c->syn2 = s->seq;
	} else if (c->attempt != TCP_ATT_OPENING || is_opener(t) || c->has_synack ||
		   c->syn2 != s->seq) {
		new_attempt(t);
	}
}

/*
 * Returns whether the reset ends the handshake, because its sequence number fits. An opener that
 * gets a bad acknowledgement sends a reset that does not (RFC 9293 figures 9 and 10). A request
 * accepts no number but the next one, as in Linux 6.18. The capture may lack data before another
 * reset, so that reset may have a higher number.
 */
static bool rst_ends_handshake(const struct tcp_track *t)
{
	const struct tcp_conn *c = t->c;
	const struct tcp_seg *s = t->s;
	uint32_t own, other = is_opener(t) ? c->syn2 : c->iss;

	if (is_opener(t) && c->has_synack)
		return s->seq - c->iss - 1 <= c->syn_len;
	if (is_opener(t) && !c->has_syn2)
		return s->seq - c->iss <= 1 + c->syn_len;
	own = is_opener(t) ? c->iss : c->has_synack ? c->synack : c->syn2;
	return s->seq - own - 1 < NEAR_SEQ ||
	       (s->flags & TCP_ACK && acks_within(s->ack, other, 1 + c->syn_len));
}

static void follow_rst(struct tcp_track *t)
{
	struct tcp_conn *c = t->c;
	bool unanswered = !c->has_synack && !c->has_syn2;

	if (c->attempt == TCP_ATT_OPENING && unanswered && !is_opener(t)) {
		t->refused = t->s->flags & TCP_ACK &&
			     acks_within(t->s->ack, c->iss, 1 + c->syn_len);
		if (!t->refused)
			return;
	} else {
		if (c->attempt == TCP_ATT_OPENING && !rst_ends_handshake(t))
			return;
		c->was_reset = true;
	}
	c->attempt = TCP_ATT_NONE;
}

/*
 * Follows an ACK after both ends have sent a SYN. The handshake is complete when both SYNs are
 * acknowledged.
 */
static void follow_crossed(struct tcp_track *t)
{
	struct tcp_conn *c = t->c;
	uint32_t syn = is_opener(t) ? c->syn2 : c->iss;

	if (!acks_within(t->s->ack, syn, HALF - 1))
		return;
	t->answers = true;
	c->acked[!t->from] = true;
	if (!c->acked[t->from])
		return;
	c->attempt = TCP_ATT_DONE;
	c->end[0].connecting = c->end[1].connecting = true;
}

/*
 * Starts at a SYN+ACK, whose SYN the capture lacks or has later. The ends change their states, but
 * no event reports that the handshake completes.
 */
static void follow_lone_synack(struct tcp_track *t)
{
	struct tcp_conn *c = t->c;

	c->attempt = TCP_ATT_OPENING;
	c->opener = !t->from;
	c->iss = t->s->ack - 1;
	c->has_synack = c->no_syn = true;
	c->synack = t->s->seq;
}

static bool has_socket(const struct tcp_conn *c)
{
	return c->end[0].status != TCP_END_NONE || c->end[1].status != TCP_END_NONE;
}

/* Returns whether the ACK of the opener shows that it has received the SYN+ACK. */
static bool completes(const struct tcp_track *t)
{
	const struct tcp_conn *c = t->c;
	const struct tcp_seg *s = t->s;

	if (c->no_syn && tcp_seg_span(s))
		return true; /* the capture may lack the ACK */
	return is_opener(t) && c->has_synack && s->ack - c->synack - 1 < HALF;
}

static void follow_ack(struct tcp_track *t)
{
	struct tcp_conn *c = t->c;
	const struct tcp_seg *s = t->s;

	if (c->attempt == TCP_ATT_NONE && s->flags & TCP_SYN && !has_socket(c))
		follow_lone_synack(t);
	if (c->attempt != TCP_ATT_OPENING)
		return;
	if (c->has_syn2) {
		follow_crossed(t);
	} else if (s->flags & TCP_SYN) {
		if (!is_opener(t) && acks_within(s->ack, c->iss, 1 + c->syn_len)) {
			t->answers = true;
			c->has_synack = true;
			c->synack = s->seq;
		}
	} else if (completes(t)) {
		c->attempt = TCP_ATT_DONE;
		c->end[c->opener].connecting = c->end[!c->opener].accepting = !c->no_syn;
	}
}

static __attribute__((noinline)) void follow_handshake(struct tcp_track *t)
{
	if (t->s->flags & TCP_RST)
		follow_rst(t);
	else if ((t->s->flags & (TCP_SYN | TCP_ACK)) == TCP_SYN)
		follow_syn(t);
	else if (t->s->flags & TCP_ACK)
		follow_ack(t);
}

/* ---------------------------------------------------------- finding the connection */

static bool is_self_connection(const struct tcp_key *k)
{
	if (tcp_key_version(k) == 4)
		return k->addr[0][0] == k->addr[0][1];
	return (uint16_t)k->ends == (uint16_t)(k->ends >> 16) && k->addr[0][0] == k->addr[1][0] &&
	       k->addr[0][1] == k->addr[1][1];
}

/* Returns whether the tracker starts to follow an unknown connection at this segment. */
static bool begins(const struct tcp_seg *s)
{
	switch (s->flags & (TCP_SYN | TCP_ACK | TCP_RST | TCP_FIN)) {
	case TCP_SYN:
	case TCP_ACK | TCP_SYN:
	case TCP_ACK | TCP_FIN:
		return true;
	case TCP_ACK:
		return s->len > 0;
	}
	return false;
}

/*
 * Returns whether segment @s, sent by end @from, is a late segment of the ended connection @g. A
 * late segment does not start a new connection.
 */
static bool is_late(const struct tcp_tombstone *g, const struct tcp_seg *s, unsigned from)
{
	if ((s->flags & (TCP_SYN | TCP_ACK)) != TCP_SYN)
		return s->now - g->since < LATE_NS;
	if (!g->done)
		return false;
	return from == g->opener ? s->seq == g->iss : g->has_syn2 && s->seq == g->syn2;
}

static struct tcp_conn *find(struct tcp_track *t, const struct tcp_seg *s)
{
	const struct tcp_flow *w = s->flow;
	struct tcp_flow own;
	struct tcp_found f = {NULL, NULL};

	if (!w) {
		tcp_flow_of(&own, s->version, s->saddr, s->daddr, s->sport, s->dport);
		w = &own;
	}
	t->from = w->from;
	if (is_self_connection(&w->key))
		return NULL;
	f = tcp_table_find(&t->tab, &w->key, w->hash);
	if (f.conn)
		return f.conn->listener ? NULL : f.conn;
	if (!begins(s) || (f.tombstone && is_late(f.tombstone, s, t->from)))
		return NULL;
	if (f.tombstone)
		tcp_table_forget(&t->tab, f.tombstone);
	return tcp_table_add(&t->tab, &w->key, NULL);
}

static bool all_ends_closed(const struct tcp_conn *c)
{
	return c->end[0].status != TCP_END_OPEN && c->end[1].status != TCP_END_OPEN;
}

static bool time_wait_is_over(const struct tcp_track *t, const struct tcp_conn *c, uint64_t now)
{
	return now - c->since > TIME_WAIT_NS ||
	       t->tab.ntime_wait > tcp_table_time_wait_max(&t->tab);
}

void tcp_track_expire(struct tcp_track *t, uint64_t now)
{
	struct tcp_conn *c;
	unsigned i;

	while ((c = tcp_table_time_wait_oldest(&t->tab)) && time_wait_is_over(t, c, now)) {
		tcp_table_time_wait_remove(&t->tab, c);
		for (i = 0; i < 2; i++)
			if (tcp_end_state(&c->end[i]) == TCP_TIME_WAIT)
				c->end[i].status = TCP_END_GONE;
		if (all_ends_closed(c))
			tcp_table_retire(&t->tab, c, now);
	}
}

static bool end_is_quiescent(const struct tcp_end *e)
{
	return e->status == TCP_END_OPEN && e->state == TCP_ESTABLISHED && !e->connecting &&
	       !e->accepting && !e->fin_sent && !e->fin_seen && !e->strange;
}

static bool is_established(const struct tcp_end *e)
{
	if (e->status != TCP_END_OPEN)
		return false;
	return tcp_end_state(e) != TCP_SYN_SENT && tcp_end_state(e) != TCP_SYN_RECV;
}

static bool may_use_fast_path(const struct tcp_track *t, const struct tcp_conn *c)
{
	return !t->no_fast_path && c->attempt != TCP_ATT_OPENING && end_is_quiescent(&c->end[0]) &&
	       end_is_quiescent(&c->end[1]);
}

/*
 * Returns whether no end of the established connection can have sent the segment, so it is forged
 * or damaged, and belongs to no connection. If two such segments of an end follow each other, and
 * agree without being the same, they are genuine: the capture lacks the segments before them.
 */
static bool is_strange(struct tcp_track *t)
{
	const struct tcp_seg *s = t->s;
	struct tcp_end *e = &t->c->end[t->from];
	const struct tcp_end *end = is_established(e) ? e : &t->c->end[!t->from];
	/* another segment of the same data has a sum that is near, but not the same */
	uint32_t sum = s->seq + s->ack + 3 * tcp_seg_span(s), since = sum - e->strange_sum;
	bool agrees = e->strange && since && since + NEAR_SUM <= 2 * NEAR_SUM;

	if (s->flags & (TCP_SYN | TCP_RST) || t->c->attempt == TCP_ATT_OPENING ||
	    !is_established(end))
		return false;
	e->strange = !(s->flags & TCP_ACK) || !tcp_end_is_near(end, s, end == e);
	e->strange_sum = sum;
	return e->strange && !agrees;
}

/*
 * Looks up the connection of a segment. Decides anew whether segments of this connection may take
 * the fast path. If this segment may not take it, follows the handshake.
 */
void tcp_track_slow(struct tcp_track *t)
{
	t->c = find(t, t->s);
	if (!t->c)
		return;
	if (is_strange(t)) {
		t->c->fast_path_ok = false;
		t->c = NULL;
		return;
	}
	t->fast_path = t->c->fast_path_ok = tcp_seg_only_acknowledges(t->s) &&
					    may_use_fast_path(t, t->c);
	if (!t->fast_path)
		follow_handshake(t);
}

/* ------------------------------------------------------------- new sockets */

/* Returns the key of the listening socket of @addr and @port: the other end of the key is 0. */
static struct tcp_key listener_key(int version, const unsigned char *addr, uint16_t port)
{
	struct tcp_key k = {.ends = tcp_key_ends(0, version == 4 ? 0 : port, version)};

	if (version == 4)
		k.addr[0][1] = tcp_key_end4(addr, port);
	else
		memcpy(k.addr[1], addr, 16);
	return k;
}

static struct tcp_conn *find_listener(struct tcp_track *t, bool sender, bool make)
{
	const struct tcp_seg *s = t->s;
	struct tcp_key k = listener_key(s->version, sender ? s->saddr : s->daddr,
					sender ? s->sport : s->dport);
	struct tcp_found f;

	f = tcp_table_find(&t->tab, &k, tcp_key_hash(&k));
	if (f.conn || f.tombstone || !make)
		return f.conn && f.conn->listener ? f.conn : NULL;
	return tcp_table_add(&t->tab, &k, t->c);
}

/* Adds a listening socket for the sender of a SYN+ACK, who must have one. */
static void note_listener(struct tcp_track *t)
{
	struct tcp_conn *c = find_listener(t, true, true);
	struct sock_common *sk;

	if (!c || c->listener)
		return;
	c->listener = true;
	tcp_end_open(&c->end[1], t->tab.shared, t->s, true, ++t->cookie);
	sk = &tcp_end_sk(&c->end[1])->__sk_common;
	tcp_end_set_state(&c->end[1], TCP_LISTEN);
	sk->skc_dport = 0;
	sk->skc_daddr = 0;
	sk->skc_v6_daddr = (struct in6_addr){0};
	tcp_end_sk(&c->end[1])->sk_socket = &t->tab.shared->socket;
}

static struct sock *listener_sk(struct tcp_track *t)
{
	struct tcp_conn *c = find_listener(t, false, false);

	return c ? tcp_end_sk(&c->end[1]) : NULL;
}

static void open_end(struct tcp_track *t, struct tcp_end *e, bool sends)
{
	tcp_end_open(e, t->tab.shared, t->s, sends, ++t->cookie);
}

/*
 * Returns whether the segment, which has an ACK and no SYN, can only belong to an established
 * connection: it begins to follow the connection, or is an ACK of the opener, or the peer of the
 * end is established.
 */
static bool shows_connection(const struct tcp_track *t, const struct tcp_end *peer)
{
	const struct tcp_conn *c = t->c;

	if (is_established(peer) || (c->attempt != TCP_ATT_OPENING && begins(t->s)))
		return true;
	return (c->attempt == TCP_ATT_OPENING || c->no_syn) && is_opener(t) &&
	       t->s->seq - c->iss - 1 < NEAR_SEQ;
}

/* Makes an established socket for an end whose beginning was not captured. */
static void infer(struct tcp_track *t, struct tcp_end *e, bool sends)
{
	const struct tcp_seg *s = t->s;

	if (e->status != TCP_END_NONE || (s->flags & (TCP_ACK | TCP_SYN | TCP_RST)) != TCP_ACK)
		return;
	if (!shows_connection(t, e == t->c->end ? e + 1 : e - 1))
		return;
	open_end(t, e, sends);
	tcp_end_start_midway(e, s, sends);
	tcp_end_set_state(e, TCP_ESTABLISHED);
	tcp_end_sk(e)->sk_socket = &t->tab.shared->socket;
	e->announced = true;
	t->c->was_established = true;
}

/*
 * Prepares end @e for a new connection if a newer attempt to connect has replaced its old socket.
 * Closes the old socket first if it is open and not in TIME_WAIT: the capture lacks the packets
 * that closed it.
 */
static void reuse_end(struct tcp_track *t, struct tcp_end *e)
{
	if (!e->stale)
		return;
	if (e->status == TCP_END_OPEN && tcp_end_state(e) != TCP_TIME_WAIT)
		close_end(t, e);
	e->status = TCP_END_NONE;
}

static void open_active(struct tcp_track *t, struct tcp_end *e)
{
	uint32_t syn = is_opener(t) ? t->c->iss : t->c->syn2;

	if (t->c->attempt != TCP_ATT_OPENING || t->s->seq != syn || t->s->flags & TCP_FIN)
		return;
	reuse_end(t, e);
	if (e->status != TCP_END_NONE)
		return;
	open_end(t, e, true);
	tcp_end_start_active(e, t->s);
	e->answered = t->c->no_syn;
	/* The answer, or the SYN that crosses this one, came before this end had a socket. */
	if (t->c->no_syn || !is_opener(t))
		tcp_end_expect(e, (t->c->no_syn ? t->c->synack : t->c->iss) + 1);
	tcp_end_sk(e)->sk_socket = &t->tab.shared->socket;
	e->tp.inet_conn.icsk_bind_hash = &t->tab.shared->connected;
	set_state(t, e, TCP_SYN_SENT);
	fire(t, TCP_EV_CONNECT_REQUEST, e);
}

static void open_passive(struct tcp_track *t, struct tcp_end *e, const struct tcp_end *peer)
{
	const struct tcp_conn *c = t->c;

	if (c->attempt != TCP_ATT_OPENING || is_opener(t) || !c->has_synack ||
	    c->synack != t->s->seq)
		return;
	note_listener(t);
	reuse_end(t, e);
	if (e->status != TCP_END_NONE)
		return;
	open_end(t, e, true);
	tcp_end_start_passive(e, t->s, c->iss, &peer->syn);
	tcp_end_set_state(e, TCP_SYN_RECV);
}

/* ------------------------------------------------------------------ established */

static void free_saved(struct tcp_end *e)
{
	xfree(e->saved);
	e->saved = NULL;
}

/*
 * Saves the first bytes of the packet. They become the argument of a later event,
 * connect-established.
 */
static void save_packet(struct tcp_track *t, struct tcp_end *e)
{
	const struct tcp_seg *s = t->s;
	uint32_t n = s->ip_len < TCP_SAVED_MAX ? s->ip_len : TCP_SAVED_MAX;

	if (!t->save)
		return;
	if (!e->saved)
		e->saved = xmalloc(sizeof(*e->saved));
	e->saved->len = n;
	e->saved->wirelen = s->ip_wirelen;
	e->saved->l4 = s->l4;
	memcpy(e->saved->data, s->ip, n);
}

static bool is_opening(const struct tcp_end *e)
{
	return tcp_end_state(e) == TCP_SYN_SENT || tcp_end_state(e) == TCP_SYN_RECV;
}

static void connect_established(struct tcp_track *t, struct tcp_end *e,
				const struct tcp_saved *saved)
{
	struct tcp_firing f = {.what = TCP_EV_CONNECT_ESTABLISHED,
			       .sk = tcp_end_sk(e),
			       .saved = saved};

	e->connecting = false;
	if (e->status == TCP_END_NONE)
		return;
	if (e->status == TCP_END_OPEN && is_opening(e))
		set_state(t, e, TCP_ESTABLISHED);
	t->fire(t->ctx, &f);
	free_saved(e);
}

static void accept_established(struct tcp_track *t, struct tcp_end *e)
{
	bool fresh = e->status == TCP_END_OPEN && tcp_end_state(e) == TCP_SYN_RECV;

	e->accepting = false;
	if (e->status == TCP_END_NONE)
		return;
	if (fresh) {
		announce(t, e);
		tcp_end_set_state(e, TCP_ESTABLISHED);
	}
	fire(t, TCP_EV_ACCEPT_ESTABLISHED, e);
	if (fresh) {
		tcp_end_set_state(e, TCP_SYN_RECV);
		set_state(t, e, TCP_ESTABLISHED);
	}
}

/*
 * Sets the state of opener @e to ESTABLISHED if it sends more than a SYN. The opener must have
 * received an answer, even if the capture lacks the answer.
 */
static void catch_up_sender(struct tcp_track *t, struct tcp_end *e)
{
	const struct tcp_conn *c = t->c;

	if (c->no_syn && c->attempt == TCP_ATT_DONE && tcp_end_state(e) == TCP_SYN_RECV) {
		announce(t, e);
		set_state(t, e, TCP_ESTABLISHED);
	}
	if (tcp_end_state(e) != TCP_SYN_SENT)
		return;
	if (c->attempt == TCP_ATT_OPENING && (c->has_synack || c->has_syn2))
		return;
	if (t->s->seq - (e->tp.snd_una - (uint32_t)e->tp.bytes_acked) - 1 >= NEAR_SEQ)
		return; /* the segment belongs to an earlier connection */
	if (!e->answered)
		tcp_end_expect(e, t->s->ack);
	set_state(t, e, TCP_ESTABLISHED);
}

/*
 * Sets the state of receiver @e to ESTABLISHED if its SYN is acknowledged, although the capture has
 * no complete handshake.
 */
static void catch_up_receiver(struct tcp_track *t, struct tcp_end *e)
{
	if (tcp_end_state(e) != TCP_SYN_RECV || t->c->attempt == TCP_ATT_OPENING)
		return;
	if (!(t->s->flags & TCP_ACK) || t->s->flags & TCP_SYN ||
	    seq_before(t->s->ack, e->tp.snd_una))
		return;
	if (e->active && !e->tp.bytes_acked)
		return;
	announce(t, e);
	set_state(t, e, TCP_ESTABLISHED);
}

/* ---------------------------------------------------------------------- closing */

static void take_fin(struct tcp_track *t, struct tcp_end *e)
{
	if (!e->fin_seen || e->fin_taken || !seq_after(e->tp.rcv_nxt, e->peer_fin))
		return;
	tcp_end_sk(e)->__sk_common.skc_flags |= 1ul << SOCK_DONE;
	switch (tcp_end_state(e)) {
	case TCP_ESTABLISHED:
		set_state(t, e, TCP_CLOSE_WAIT);
		break;
	case TCP_FIN_WAIT1:
		set_state(t, e, TCP_CLOSING);
		break;
	case TCP_FIN_WAIT2:
		enter_time_wait(t, e);
		break;
	default:
		return;
	}
	e->fin_taken = true;
}

static void fin_is_acked(struct tcp_track *t, struct tcp_end *e)
{
	if (!tcp_end_fin_acked(e))
		return;
	switch (tcp_end_state(e)) {
	case TCP_FIN_WAIT1:
		set_state(t, e, TCP_FIN_WAIT2);
		break;
	case TCP_CLOSING:
		enter_time_wait(t, e);
		break;
	case TCP_LAST_ACK:
		close_end(t, e);
		/* The end sends its FIN again if the acknowledgement is lost after the capture. */
		if (!t->c->in_time_wait)
			tcp_table_time_wait_add(&t->tab, t->c, t->s->now);
		break;
	}
}

static void send_fin(struct tcp_track *t, struct tcp_end *e)
{
	if (e->fin_sent || seq_before(t->s->seq + t->s->len + 1, e->tp.snd_una))
		return;
	switch (tcp_end_state(e)) {
	case TCP_SYN_RECV:
		announce(t, e);
		/* fall through */
	case TCP_ESTABLISHED:
		set_state(t, e, TCP_FIN_WAIT1);
		break;
	case TCP_CLOSE_WAIT:
		set_state(t, e, TCP_LAST_ACK);
		break;
	}
}

/*
 * Closes the socket that sends a reset. A reset outside the sequence numbers of that socket was
 * sent by another host or for another socket.
 */
static void send_rst(struct tcp_track *t, struct tcp_end *e)
{
	const struct tcp_sock *tp = &e->tp;

	if (tcp_end_state(e) == TCP_TIME_WAIT)
		return;
	if (seq_before(t->s->seq, tp->snd_una) || seq_after(t->s->seq, tp->snd_nxt))
		return;
	t->resets = true;
	if (!is_request(e))
		set_state(t, e, TCP_CLOSE);
}

/*
 * Returns whether @e accepts the reset (RFC 9293 3.10.7). As in Linux, accepts a reset whose
 * sequence number does not count the sender's FIN.
 */
static bool rst_fits(const struct tcp_conn *c, const struct tcp_end *e, const struct tcp_seg *s)
{
	int state = tcp_end_state(e);

	if (state == TCP_SYN_SENT && !e->answered)
		return s->flags & TCP_ACK &&
		       acks_within(s->ack, e == &c->end[c->opener] ? c->iss : c->syn2,
				   1 + c->syn_len);
	if (s->seq == e->tp.rcv_nxt)
		return true;
	return s->seq + 1 == e->tp.rcv_nxt &&
	       (state == TCP_CLOSE_WAIT || state == TCP_LAST_ACK || state == TCP_CLOSING);
}

static void refuse_connect(struct tcp_track *t, struct tcp_end *e)
{
	t->refusal_fired = true;
	fire(t, TCP_EV_CONNECT_REFUSED, e);
}

static void receive_rst(struct tcp_track *t, struct tcp_end *e)
{
	const struct tcp_conn *c = t->c;
	int state = tcp_end_state(e);

	if (!t->refused && !rst_fits(c, e, t->s))
		return;
	if (state == TCP_TIME_WAIT || is_request(e)) {
		e->status = TCP_END_GONE;
		return;
	}
	fire(t, TCP_EV_RECEIVE_RESET, e);
	if (t->refused ||
	    (state == TCP_SYN_SENT && !c->has_synack && !c->has_syn2 && !c->was_reset))
		refuse_connect(t, e);
	tcp_end_sk(e)->sk_err = state == TCP_SYN_SENT     ? ECONNREFUSED_
				: state == TCP_CLOSE_WAIT ? EPIPE_
							  : ECONNRESET_;
	close_end(t, e);
}

/* ---------------------------------------------------------------------- sending */

static void send_plain(struct tcp_track *t, struct tcp_end *e)
{
	infer(t, e, true);
	if (e->connecting)
		connect_established(t, e, e->saved);
	else if (e->status == TCP_END_OPEN && t->s->flags & TCP_ACK)
		catch_up_sender(t, e);
}

static void send_syn(struct tcp_track *t, struct tcp_end *e, const struct tcp_end *peer)
{
	if (!(t->s->flags & TCP_ACK)) {
		open_active(t, e);
		return;
	}
	open_passive(t, e, peer);
	if (e->connecting)
		connect_established(t, e, e->saved);
	else if (e->status == TCP_END_OPEN && tcp_end_state(e) == TCP_SYN_SENT && t->c->has_syn2)
		set_state(t, e, TCP_SYN_RECV);
}

bool tcp_track_is_sender(const struct tcp_track *t, const struct sock *sk)
{
	return t->c && tcp_end_sk(&t->c->end[t->from]) == sk;
}

/*
 * Returns whether @e, which was closed after the FINs of both ends, sends a segment again: the
 * acknowledgement that closed it in the capture has not reached it.
 */
static bool repeats(const struct tcp_track *t, const struct tcp_end *e)
{
	return e->status == TCP_END_GONE && t->c->in_time_wait &&
	       tcp_end_kind(e, t->s) == TCP_SEND_AGAIN;
}

struct sock *tcp_track_send(struct tcp_track *t)
{
	const struct tcp_seg *s = t->s;
	struct tcp_end *e;

	if (!t->c || !t->sends)
		return NULL;
	e = &t->c->end[t->from];
	if (t->fast_path) {
		t->kind = tcp_end_sending(e, s);
		return tcp_end_sk(e);
	}
	if (t->refused) {
		reuse_end(t, e);
		fire(t, TCP_EV_ACCEPT_REFUSED, NULL);
	} else if (s->flags & TCP_SYN && !(s->flags & TCP_RST)) {
		send_syn(t, e, &t->c->end[!t->from]);
	} else if (!(s->flags & TCP_RST)) {
		send_plain(t, e);
	}
	if (e->status != TCP_END_OPEN && !repeats(t, e))
		return NULL;
	t->kind = tcp_end_sending(e, s);
	if (e->status != TCP_END_OPEN)
		return tcp_end_sk(e);
	take_fin(t, e);
	if (s->flags & TCP_RST)
		send_rst(t, e);
	else if (s->flags & TCP_FIN)
		send_fin(t, e);
	return tcp_end_sk(e);
}

void tcp_track_sent(struct tcp_track *t)
{
	struct tcp_end *e;

	if (!t->c || !t->sends)
		return;
	e = &t->c->end[t->from];
	if (e->status != TCP_END_OPEN && !repeats(t, e))
		return;
	if (t->resets) {
		destroy(t, e);
		return;
	}
	tcp_end_sent(e, t->s, t->kind);
	if (t->kind == TCP_SEND_AGAIN)
		tcp_track_retransmitted(t);
	/* The peer may have acknowledged the FIN earlier in the file. */
	if (e->status == TCP_END_OPEN && t->s->flags & TCP_FIN)
		fin_is_acked(t, e);
}

/* -------------------------------------------------------------------- receiving */

struct sock *tcp_track_receive(struct tcp_track *t)
{
	bool syn = (t->s->flags & (TCP_SYN | TCP_ACK | TCP_RST)) == TCP_SYN;
	struct tcp_end *e;

	if (!t->receives)
		return NULL;
	if (t->c) {
		e = &t->c->end[!t->from];
		if (t->fast_path)
			return tcp_end_sk(e);
		infer(t, e, false);
		/* The SYN+ACK alone does not show that a listener wants the answer, such as a
		 * reset. */
		if (t->c->no_syn && is_request(e))
			return NULL;
		if (e->status == TCP_END_OPEN && !(syn && tcp_end_state(e) == TCP_TIME_WAIT))
			return tcp_end_sk(e);
	}
	return syn ? listener_sk(t) : NULL;
}

/* Returns whether the SYN+ACK @s answers the SYN that @e sent. */
static bool answers(const struct tcp_end *e, const struct tcp_seg *s)
{
	uint32_t iss = e->tp.snd_una - (uint32_t)e->tp.bytes_acked;

	return acks_within(s->ack, iss, e->tp.snd_nxt - iss);
}

/*
 * Processes a SYN, with or without ACK, that @e receives. The SYN+ACK may come after the ACK that
 * answers it.
 */
static void receive_syn(struct tcp_track *t, struct tcp_end *e)
{
	bool first = tcp_end_state(e) == TCP_SYN_SENT;

	if (e->stale)
		return;
	if (!e->active) {
		if (t->c->no_syn && is_openers_syn(t))
			tcp_end_peer_syn(e, t->s);
	} else if (t->s->flags & TCP_ACK) {
		if ((!first && e->answered) || !answers(e, t->s))
			return;
		tcp_end_peer_syn(e, t->s);
		e->answered = true;
	} else if (first && t->c->has_syn2) {
		tcp_end_peer_syn(e, t->s);
		set_state(t, e, TCP_SYN_RECV);
	}
}

static void receive_established(struct tcp_track *t, struct tcp_end *e)
{
	if (t->c->in_time_wait && tcp_end_state(e) == TCP_TIME_WAIT)
		tcp_table_time_wait_add(&t->tab, t->c, t->s->now);
	tcp_end_acked(e, t->s);
	if (e->connecting)
		connect_established(t, e, NULL);
	if (e->accepting)
		accept_established(t, e);
	catch_up_receiver(t, e);
	fin_is_acked(t, e);
	if (e->status != TCP_END_OPEN || (tcp_end_state(e) == TCP_SYN_SENT && !e->answered))
		return;
	tcp_end_data(e, t->s);
	take_fin(t, e);
}

void tcp_track_retransmitted(struct tcp_track *t)
{
	struct tcp_end *e = &t->c->end[t->from];

	if (!is_request(e))
		fire(t, TCP_EV_RETRANSMIT, e);
	tcp_end_retransmitted(e);
}

/*
 * Ends the work on a packet. Removes the connection if both of its ends are closed and no handshake
 * is under way.
 */
static void finish_packet(struct tcp_track *t)
{
	struct tcp_conn *c = t->c;

	t->c = NULL;
	if (!all_ends_closed(c) || c->attempt == TCP_ATT_OPENING || c->in_time_wait)
		return;
	if (c->was_established || c->attempt == TCP_ATT_DONE)
		tcp_table_retire(&t->tab, c, t->s->now);
	else
		tcp_table_remove(&t->tab, c);
}

/*
 * Does the work of tcp_track_received() for a segment that is not on the fast path. Not inlined, so
 * that the fast path need not save registers for this function.
 */
static __attribute__((noinline)) void received_slow(struct tcp_track *t)
{
	struct tcp_end *e = &t->c->end[!t->from];

	if (t->receives && t->answers)
		save_packet(t, e);
	if (t->receives && e->status == TCP_END_OPEN) {
		if (t->s->flags & TCP_RST) {
			receive_rst(t, e);
		} else {
			if (t->s->flags & TCP_SYN)
				receive_syn(t, e);
			if (t->s->flags & TCP_ACK)
				receive_established(t, e);
		}
	}
	/*
	 * The SYN was refused, but a newer attempt to connect has already closed the socket of that
	 * SYN.
	 */
	if (t->receives && t->refused && e->status == TCP_END_GONE && !t->refusal_fired)
		refuse_connect(t, e);
	finish_packet(t);
}

void tcp_track_received(struct tcp_track *t)
{
	if (!t->c)
		return;
	if (t->fast_path)
		tcp_track_received_fast(t);
	else
		received_slow(t);
}

void tcp_track_unreachable(struct tcp_track *t, const struct tcp_seg *s, int error)
{
	struct tcp_end *e;

	t->s = s;
	t->c = find(t, s);
	if (!t->c)
		return;
	e = &t->c->end[t->from];
	t->from = !t->from; /* the socket gets the error, so it is not the sender of the packet */
	if (e->status == TCP_END_OPEN && !e->stale && tcp_end_state(e) == TCP_SYN_SENT &&
	    s->seq == e->tp.snd_una) {
		tcp_end_sk(e)->sk_err = error;
		close_end(t, e);
		t->c->attempt = TCP_ATT_NONE;
	}
	finish_packet(t);
}

/* ------------------------------------------------------------- making and freeing */

int tcp_track_init(struct tcp_track *t, uint32_t max, const struct sock *blank,
		   tcp_fire_fn *fire_fn, void *ctx, struct diag *d)
{
	*t = (struct tcp_track){.fire = fire_fn, .ctx = ctx};
	return tcp_table_init(&t->tab, max, blank, d);
}

void tcp_track_release(struct tcp_track *t)
{
	tcp_table_release(&t->tab);
}
