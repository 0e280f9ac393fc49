/*
 * fire.c - fires the hooks of each packet, in the order of a kernel.
 *
 * fire_batch() reads packets. For each packet, fire_packet() fires the ticks that are due, and
 * fire_ends() fires the hooks at the packet's two ends. fire_kind() takes the steps that the plan
 * (plan.h) lists for this kind of packet. Most steps fire one hook.
 *
 * Three kinds of packets are exceptions:
 *
 *  - A fragment may complete a datagram. fire_fragment() then also takes the steps of the datagram.
 *  - For a TCP segment that changes no state of its connection, fire_fast() takes only the steps at
 *    ends where packet hooks fire, and the TCP tracker only counts the segment.
 *  - If such a segment was prefetched and is no retransmission, fire_usual() takes these steps, but
 *    does not fill the tracker's state of the packet. It also skips packets that no program sees.
 *    fire_usual() must have the same effects as fire_packet().
 */
#include "engine/replay/impl.h"

#include "base/clock.h"
#include "engine/replay/capture/inline.h"

#define BATCH 4096
/* a packet from an interface counts as late if it is at least this many ns behind the clock */
#define REORDER_NS 1000000000u

void run_hook(struct replay *r, enum hook_id id, const uint64_t *ctx, struct record_sink *k)
{
	const struct units *u = &r->plan.hook[id];

	for (uint32_t i = 0; i < u->n && !k->done; i++)
		vm_run(r->vm, u->v[i], ctx, hook_defs[id].narg, k);
}

inline void show_packet(struct replay *r)
{
	r->now.shown = true;
	ksim_set_packet(r);
	*r->packet_region = (struct vm_region){(uintptr_t)r->now.pkt.data, r->now.pkt.caplen};
}

/*
 * Makes ksim.skb describe the current packet as the kernel at @end (AT_SENDER or AT_RECEIVER) sees
 * it.
 */
static inline void show_at(struct replay *r, unsigned end)
{
	if (!r->now.shown && r->plan.shows_packets)
		show_packet(r);
	r->ksim.skb.skb_iif = end == AT_SENDER ? 0 : r->ksim.dev.ifindex;
	/* in other modes, pkt_type is always PACKET_HOST */
	if (unlikely(r->in.local.mode == LOCAL_AUTO))
		r->ksim.skb.pkt_type = end == AT_SENDER ? PACKET_HOST : received_type(&r->now.d);
}

/* ------------------------------------------------------------------ TCP connections */

static inline void give_to_tracker(struct replay *r)
{
	struct current *now = &r->now;
	const unsigned char *ip = now->pkt.data + now->d.net;
	uint32_t at = now->d.l4 - now->d.net;
	uint32_t len = dissect_ip_length(ip, now->pkt.wirelen - now->d.net);
	uint32_t cap = now->pkt.caplen - now->d.net;
	struct tcp_seg *s = &now->seg;

	if (cap > len)
		cap = len;
	s->now = r->env->time_ns;
	s->flow = now->prefetched && now->prefetched->tcp ? &now->prefetched->flow : NULL;
	s->ip = ip;
	s->ip_len = cap;
	s->ip_wirelen = len;
	s->l4 = at;
	s->version = now->d.version;
	s->saddr = ip + (now->d.version == 4 ? 12 : 8);
	s->daddr = ip + (now->d.version == 4 ? 16 : 24);
	if (!tcp_seg_parse(s, ip + at, cap - at, len - at))
		return;
	now->following = true;
	tcp_track_packet(&r->tcp, s, now->ends & AT_SENDER, now->ends & AT_RECEIVER);
}

/* Passes the segment in the current packet to the TCP tracker, once for both ends. */
static inline void follow(struct replay *r, struct record_sink *k)
{
	r->now.sink = k;
	if (!r->now.following)
		give_to_tracker(r);
}

static struct sock *tcp_socket(struct replay *r, enum packet_end end, struct record_sink *k)
{
	if (!r->plan.follow_tcp)
		return &r->ksim.sk;
	follow(r, k);
	if (!r->now.following)
		return NULL;
	return end == AT_SENDER ? tcp_track_send(&r->tcp) : tcp_track_receive(&r->tcp);
}

/* ---------------------------------------------------------------------------- steps */

/* Runs the units (programs) at the hook of step @s, whose arguments are r->now.ctx. */
static inline void run_units(struct replay *r, const struct step *s, struct record_sink *k)
{
	const uint32_t *unit = s->first, *end = s->end_units;

	do {
		if (k->done)
			break;
		vm_run(r->vm, *unit, r->now.ctx, s->narg, k);
	} while (++unit != end);
}

/* Runs the hook of step @s. Its arguments are the packet and perhaps its socket. */
static inline void run_packet_hook(struct replay *r, const struct step *s, struct record_sink *k)
{
	struct sk_buff *skb = &r->ksim.skb;

	if (r->plan.shows_packets)
		ksim_show(r, s->at_ip ? r->now.d.net : 0);
	skb->sk = r->now.socket[s->socket];
	r->now.ctx[1] = (uintptr_t)skb->sk;
	run_units(r, s, k);
}

static void find_socket(struct replay *r, enum packet_end end, unsigned is, struct record_sink *k)
{
	struct sock *sk = &r->ksim.sk;

	if (is & IS_TCP)
		sk = tcp_socket(r, end, k);
	else if (r->plan.datagram_sockets)
		sk = ksim_datagram_socket(r, end == AT_SENDER);
	r->now.socket[OWN_SOCKET] = sk;
	fire_owner(r, end, sk, k);
}

/* Takes a step other than STEP_FIRE. Not inlined, because most packets have no such steps. */
static __attribute__((noinline)) void take_step(struct replay *r, const struct step *s, unsigned is,
						struct record_sink *k)
{
	switch ((enum step_action)s->action) {
	case STEP_FIND_SOCKET:
		find_socket(r, s->end, is, k);
		break;
	case STEP_RESET_SOCKET:
		r->ksim.sk.__sk_common.skc_cookie.counter = 0;
		break;
	case STEP_SENT:
		if (r->now.following)
			tcp_track_sent(&r->tcp);
		break;
	case STEP_RECEIVED:
		if (r->now.following)
			tcp_track_received(&r->tcp);
		break;
	case STEP_FIRE_MESSAGES:
		run_message_hook(r, s->hook, r->now.socket[OWN_SOCKET], k);
		break;
	case STEP_FIRE:
	case STEP_STOP:
		break;
	}
}

/*
 * Takes one step of a packet of kinds @is (enum packet_is). *@end is the previous step's end
 * (AT_*).
 */
static inline void fire_step(struct replay *r, const struct step *s, unsigned is, unsigned *end,
			     struct record_sink *k)
{
	if (s->end != *end)
		show_at(r, *end = s->end);
	if (likely(s->action == STEP_FIRE))
		run_packet_hook(r, s, k);
	else
		take_step(r, s, is, k);
}

/* Takes the steps at @ends (AT_*), first those at the sender, for a packet of kind @kind. */
static inline void fire_kind(struct replay *r, unsigned ends, enum packet_kind kind,
			     struct record_sink *k)
{
	unsigned end = 0;

	for (const struct step *const *s = r->plan.list[ends][kind]; *s; s++)
		fire_step(r, *s, kind_is[kind], &end, k);
}

/*
 * Takes the steps at @end for a TCP segment that changes no state of its connection. @sk is the
 * socket at this end.
 */
static inline void fire_segment(struct replay *r, enum packet_end end, struct sock *sk,
				struct record_sink *k)
{
	const struct step *const *list = r->plan.list[end][KIND_TCP_FAST];

	r->now.socket[OWN_SOCKET] = sk;
	if (r->plan.shows_packets || r->plan.messages) {
		fire_kind(r, end, KIND_TCP_FAST, k);
		return;
	}
	for (; *list; list++) { /* no unit reads the packet, so it is not shown */
		r->now.ctx[1] = (uintptr_t)r->now.socket[(*list)->socket];
		run_units(r, *list, k);
	}
}

/*
 * Takes the steps at @ends (AT_*) for a fragment or a reassembled datagram, of kinds @is (enum
 * packet_is).
 */
static __attribute__((noinline)) void fire_steps(struct replay *r, unsigned ends, unsigned is,
						 struct record_sink *k)
{
	unsigned mask = step_mask(ends, is), end = 0;

	for (const struct step *s = r->plan.steps; s->action != STEP_STOP; s++)
		if (s->mask & mask)
			fire_step(r, s, is, &end, k);
}

/*
 * Counts the current packet if there is something odd about it that can change what the program
 * sees: the tracker needs more of a TCP header than probes do.
 */
static __attribute__((noinline)) void count_odd(struct replay *r)
{
	const struct dissect *d = &r->now.d;
	bool of_datagram = d->odd == ODD_TCP || d->odd == ODD_UDP;

	if (unlikely(d->odd) && (r->plan.follow_tcp || d->odd != ODD_CUT_TCP) &&
	    (r->plan.transport || !of_datagram))
		odd_count(&r->odd, d->odd, d->odd_number, 1);
}

/* ------------------------------------------------------------------------ fragments */

/*
 * Gives the current fragment to reassemble(), at most once for both ends. Returns whether the
 * fragment completed a datagram.
 */
static bool complete_datagram(struct replay *r)
{
	struct current *now = &r->now;
	const struct dissect *d = &now->d;
	const struct fragment f = {
		.ip = now->pkt.data + d->net,
		.captured = now->pkt.caplen - d->net,
		.wirelen = now->pkt.wirelen - d->net,
		.version = d->version,
		.at = (uint16_t)(d->frag_at - d->net),
		.next = (uint16_t)(d->frag_next - d->net),
	};

	if (now->reassembled)
		return now->datagram.data;
	if (!r->frags)
		r->frags = reassembly_new();
	now->reassembled = now->new_datagram = true;
	if (!reassemble(r->frags, &f, r->env->time_ns, &now->datagram))
		now->datagram.data = NULL;
	return now->datagram.data;
}

/* Makes the reassembled datagram the current packet, instead of its last fragment. */
static void show_datagram(struct replay *r)
{
	struct current *now = &r->now;
	const struct dissect d = now->d;

	now->prefetched = NULL;
	now->pkt.data = now->datagram.data;
	now->pkt.caplen = now->datagram.captured;
	now->pkt.wirelen = now->datagram.wirelen;
	now->d = (struct dissect){.ethertype = d.ethertype,
				  .version = d.version,
				  .vlan = d.vlan,
				  .vlan_tci = d.vlan_tci,
				  .pkt_type = d.pkt_type};
	dissect_transport(now->pkt.data, now->pkt.caplen, now->pkt.wirelen, &now->d);
	if (now->new_datagram) /* the other end may show the datagram, too */
		count_odd(r);
	now->new_datagram = false;
	vm_region(r->vm, REGION_DATAGRAM, now->pkt.data, now->pkt.caplen);
	ksim_set_packet(r);
	r->ksim.skb.mac_header = NO_HEADER;
}

/* If the fragment completes a datagram, takes the steps of the datagram. */
static void fire_datagram(struct replay *r, enum packet_end end, struct record_sink *k)
{
	const struct dissect d = r->now.d;
	const struct packet pkt = r->now.pkt;

	if (!(r->plan.datagrams & end) || !complete_datagram(r))
		return;
	show_datagram(r);
	if (r->now.d.l4 && !r->now.d.frag)
		fire_steps(r, end, datagram_is(r->now.d.proto), k);
	vm_region(r->vm, REGION_DATAGRAM, NULL, 0);
	r->now.pkt = pkt;
	r->now.d = d;
	ksim_set_packet(r);
}

/*
 * Takes the steps of a fragment, which are the steps for frames and IP packets. If the fragment
 * completes a datagram, also takes the steps of the datagram. At the sender these come first,
 * because a kernel sees a datagram before it makes fragments. At the receiver they come last.
 */
static __attribute__((noinline)) void fire_fragment(struct replay *r, unsigned ends,
						    struct record_sink *k)
{
	show_packet(r);
	if (ends & AT_SENDER) {
		fire_datagram(r, AT_SENDER, k);
		fire_steps(r, AT_SENDER, IS_FRAME | IS_IP, k);
	}
	if (ends & AT_RECEIVER) {
		fire_steps(r, AT_RECEIVER, IS_FRAME | IS_IP, k);
		fire_datagram(r, AT_RECEIVER, k);
	}
}

/* ---------------------------------------------------------------------------- packets */

/*
 * Fires the hooks, at both ends, of a TCP segment that changes no state of its connection. The TCP
 * tracker only counts the segment.
 */
static inline void fire_fast(struct replay *r, struct record_sink *k)
{
	unsigned hooks = r->now.ends & r->plan.tcp_hooks;

	if (hooks & AT_SENDER) {
		fire_segment(r, AT_SENDER, tcp_track_send(&r->tcp), k);
		tcp_track_sent(&r->tcp);
	} else {
		tcp_track_sent_fast(&r->tcp);
	}
	if (hooks & AT_RECEIVER)
		fire_segment(r, AT_RECEIVER, tcp_track_receiver_fast(&r->tcp), k);
	tcp_track_received_fast(&r->tcp);
}

INLINE void fire_ends(struct replay *r, bool following, struct record_sink *k)
{
	struct current *now = &r->now;

	now->ends = local_ends(r);
	now->owned_end = unlikely(now->pkt.owner.pid) ? find_owned_end(r) : 0;
	if (following && likely(!now->owned_end) && now->prefetched && now->prefetched->tcp &&
	    now->ends)
		follow(r, k);
	if (following && now->following && r->tcp.fast_path) {
		fire_fast(r, k);
		now->following = false;
		return;
	}
	if (unlikely(now->owned_end)) {
		show_packet(r);
		fire_owner(r, now->owned_end, &r->ksim.sk, k);
	}
	if (likely(!now->d.frag))
		fire_kind(r, now->ends & r->plan.ends, kind_of_packet(&now->d), k);
	else
		fire_fragment(r, now->ends & r->plan.ends, k);
	if (following && now->following)
		tcp_track_received(&r->tcp);
	else if (following && now->ends & AT_RECEIVER && !now->d.frag &&
		 is_icmp(now->d.proto, now->d.version))
		fire_icmp_error(r, k);
	now->following = false;
	if (unlikely(now->owned_end))
		clear_owner(r, &r->ksim.sk, k);
}

void fire_ticks(struct replay *r, uint64_t now, struct record_sink *k)
{
	static const uint64_t zeros[NARGS];
	uint32_t unit;
	uint64_t due;

	tick_gap(&r->ticks);
	while (!k->done && !r->over && tick_next(&r->ticks, now, &unit, &due)) {
		if (due > r->env->time_ns)
			r->env->time_ns = due;
		if (unit == TICK_END) {
			r->over = true;
			break;
		}
		vm_run(r->vm, unit, zeros, NARGS, k);
	}
}

/*
 * Returns the time that a late packet gets: the current time, because time must not go back. Counts
 * the packet as late, unless an interface only delivered it slightly out of order.
 */
static uint64_t late_time(struct replay *r)
{
	uint64_t by = r->env->time_ns - r->now.pkt.ts_ns;

	if (r->in.sniffer && by < REORDER_NS)
		return r->env->time_ns;
	r->late_packets++;
	if (by > r->late_ns)
		r->late_ns = by;
	return r->env->time_ns;
}

/* Finds the headers of the current packet, and counts what is odd about them. */
INLINE void find_headers(struct replay *r, bool following)
{
	struct current *now = &r->now;

	if (following && !now->prefetched)
		now->prefetched = prefetch_packets(r);
	if (following && now->prefetched)
		prefetched_headers(now->prefetched, &now->d);
	else if (likely(!dissect_frame(now->link, now->pkt.data, now->pkt.caplen, now->pkt.wirelen,
				       r->plan.transport, &now->d)))
		return;
	count_odd(r);
}

/*
 * Fires the ticks that are due before the current packet, then its hooks. @following is
 * r->plan.follow_tcp. It is a constant in this function and its callers, so the C compiler makes a
 * copy of this code without the TCP tracker.
 */
INLINE int fire_packet(struct replay *r, bool following, struct record_sink *k, struct diag *d)
{
	const struct packet *pkt = &r->now.pkt;
	uint64_t now = pkt->ts_ns;

	if (unlikely(now < r->env->time_ns))
		now = late_time(r);
	if (unlikely(r->ticks.due <= now)) {
		fire_ticks(r, now, k);
		if (k->done || r->over)
			return 0;
	}
	r->env->time_ns = now;
	if (unlikely(pkt->iface->serial != r->now.iface_serial) && ksim_set_iface(r, pkt->iface, d))
		return -1;
	if (!r->plan.ends)
		return 0;
	find_headers(r, following);
	r->now.reassembled = r->now.shown = false;
	fire_ends(r, following, k);
	return 0;
}

/*
 * Calls fire_packet() for packets that are not in a batch. Not inlined, because such packets are
 * rare.
 */
static __attribute__((noinline)) int fire_single_packet(struct replay *r, struct record_sink *k,
							struct diag *d)
{
	return r->plan.follow_tcp ? fire_packet(r, true, k, d) : fire_packet(r, false, k, d);
}

/* ---------------------------------------------------------------------------- batches */

/* Returns the result of wait() after the last packet. */
static int at_end(struct replay *r, enum capture_result res, struct diag *d)
{
	reassembly_end(r->frags);
	if (res == CAPTURE_BAD && r->in.error.nerr)
		return diag_copy(d, &r->in.error);
	return res == CAPTURE_BAD ? -1 : 0;
}

/*
 * Handles an interface that has no packets now. Sets the time to the real time minus
 * SNIFFER_LAG_NS, and fires the ticks that are due. Returns 0 if -x duration has passed, else 1.
 */
static int pass_time(struct replay *r, struct record_sink *k)
{
	uint64_t now = now_real() - SNIFFER_LAG_NS;

	if (!r->in.sniffer || now <= r->env->time_ns)
		return 1;
	fire_ticks(r, now, k);
	if (now > r->env->time_ns && !r->over)
		r->env->time_ns = now;
	return !r->over;
}

/* Makes @p, whose packet the capture just returned, the current packet. */
static inline void set_current(struct replay *r, const struct prefetched_packet *p)
{
	struct packet *pkt = &r->now.pkt;

	pkt->data = p->pkt.data;
	pkt->caplen = p->pkt.caplen;
	pkt->wirelen = p->pkt.wirelen;
	pkt->ts_ns = p->pkt.ts_ns;
	pkt->iface = p->pkt.iface;
	pkt->dir = CAPTURE_DIR_UNKNOWN;
	pkt->owner.pid = 0;
}

/*
 * Returns the end that sends the prefetched segment @p, and stores the other end in *@to. Returns
 * NULL if @p does not take the fast path, or repeats data.
 */
static inline struct tcp_end *fast_ends(struct replay *r, const struct prefetched_packet *p,
					struct tcp_end **to)
{
	struct tcp_end *from;
	struct tcp_conn *c;

	if (unlikely(r->tcp.tab.ntime_wait))
		tcp_track_expire(&r->tcp, p->pkt.ts_ns);
	c = tcp_table_at(&r->tcp.tab, p->flow.conn, &p->flow.key);
	if (unlikely(!c || !c->fast_path_ok))
		return NULL;
	from = &c->end[p->flow.from];
	*to = &c->end[1] - p->flow.from;
	return likely(tcp_end_is_next(from, &p->seg)) ? from : NULL;
}

/* Makes @p the current packet, for hooks that read it. */
static __attribute__((noinline)) void show_segment(struct replay *r,
						   const struct prefetched_packet *p)
{
	set_current(r, p);
	prefetched_headers(p, &r->now.d);
	r->now.shown = false;
}

/* Does the work of fire_new_segment() if programs have hooks at the sender. */
static __attribute__((noinline)) void fire_sent_segment(struct replay *r,
							struct prefetched_packet *p,
							struct tcp_end *from, struct tcp_end *to,
							struct record_sink *k)
{
	enum tcp_send_kind kind = tcp_end_sending(from, &p->seg);

	fire_segment(r, AT_SENDER, tcp_end_sk(from), k);
	tcp_end_sent(from, &p->seg, kind);
	if (r->plan.tcp_hooks & AT_RECEIVER)
		fire_segment(r, AT_RECEIVER, tcp_end_sk(to), k);
	tcp_end_received_fast(to, &p->seg);
}

/*
 * Fires the hooks of the prefetched segment @p, which @from sends to @to. The segment takes the
 * fast path and is no retransmission, so it causes no TCP event.
 */
static inline void fire_new_segment(struct replay *r, struct prefetched_packet *p,
				    struct tcp_end *from, struct tcp_end *to, struct record_sink *k)
{
	if (r->plan.shows_packets)
		show_segment(r, p);
	p->seg.now = p->pkt.ts_ns;
	if (unlikely(r->plan.tcp_hooks & AT_SENDER)) {
		fire_sent_segment(r, p, from, to, k);
		return;
	}
	if (r->plan.tcp_hooks & AT_RECEIVER)
		fire_segment(r, AT_RECEIVER, tcp_end_sk(to), k);
	/* The receiver's hooks do not see @from, so it may change after them. */
	tcp_end_exchange(from, to, &p->seg);
}

/*
 * Handles the next packet if it is prefetched, and is usual: a segment that takes the fast path, or
 * a packet that no program sees. Reads this packet and fires its hooks. Returns false, and does
 * nothing, for any other packet.
 */
static inline bool fire_usual(struct replay *r, struct record_sink *k)
{
	struct prefetched_packet *p = prefetch_next(&r->prefetch);
	struct tcp_end *from = NULL, *to = NULL;
	uint64_t time;

	if (unlikely(!r->prefetch.n || p->needs == NEEDS_ALL || r->in.outlier.busy))
		return false;
	time = p->pkt.ts_ns;
	if (unlikely(time - r->env->time_ns >= CLOCK_JUMP_NS || r->ticks.due <= time))
		return false; /* a late packet, too: the subtraction wraps around */
	if (p->needs == NEEDS_FAST && unlikely(!(from = fast_ends(r, p, &to))))
		return false;
	if (unlikely(!capture_take_inline(r->in.cap, &p->pkt, r->prefetch.generation)))
		return false;
	r->env->time_ns = time;
	if (from)
		fire_new_segment(r, p, from, to, k);
	prefetch_advance(r);
	return true;
}

/* Reads the next packet if it is prefetched and its clock is right. Returns false otherwise. */
static inline bool take_prefetched(struct replay *r)
{
	struct packet *pkt = &r->now.pkt;
	const struct prefetched_packet *p;

	if (unlikely(r->in.outlier.busy))
		return false;
	r->now.prefetched = p = prefetch_take(r);
	if (!p)
		return false;
	set_current(r, p);
	if (likely(!clock_jumps(pkt, r->env->time_ns)))
		return true;
	clock_outlier_unread(&r->in.outlier, pkt);
	r->now.prefetched = NULL;
	return false;
}

INLINE enum capture_result next_packet(struct replay *r, bool following)
{
	struct input *in = &r->in;

	if (unlikely(in->error.nerr) && !in->outlier.ended)
		return CAPTURE_BAD;
	if (following) {
		r->now.prefetched = NULL;
		if (take_prefetched(r))
			return CAPTURE_PACKET;
	}
	return clock_outlier_next(&in->outlier, in->cap, r->env->time_ns, &r->now.pkt, &in->error);
}

INLINE int fire_packets(struct replay *r, bool following, struct record_sink *k, struct diag *d)
{
	enum capture_result res;
	unsigned i;

	for (i = 0; i < BATCH && !k->done; i++) {
		if (following && likely(fire_usual(r, k)))
			continue;
		res = next_packet(r, following);
		if (unlikely(res == CAPTURE_AGAIN))
			return pass_time(r, k);
		if (unlikely(res != CAPTURE_PACKET))
			return at_end(r, res, d);
		if (unlikely(fire_packet(r, following, k, d)))
			return -1;
		if (unlikely(r->over))
			return 0;
	}
	return 1;
}

int fire_batch(struct replay *r, struct record_sink *k, struct diag *d)
{
	if (r->in.addrs)
		iface_addrs_update(r->in.addrs, &r->in.local);
	return r->plan.follow_tcp ? fire_packets(r, true, k, d) : fire_packets(r, false, k, d);
}

/* Fires the packets of an interface that arrived before @now. */
static int drain_interface(struct replay *r, uint64_t now, struct record_sink *k, struct diag *d)
{
	while (!k->done && !r->over && next_packet(r, r->plan.follow_tcp) == CAPTURE_PACKET &&
	       r->now.pkt.ts_ns <= now)
		if (fire_single_packet(r, k, d))
			return -1;
	return 0;
}

int fire_held(struct replay *r, struct record_sink *k, struct diag *d)
{
	uint64_t now = now_real();

	if (r->in.sniffer && !r->in.error.nerr && drain_interface(r, now, k, d))
		return -1;
	if (r->in.sniffer && now > r->env->time_ns && !r->over && !k->done)
		r->env->time_ns = now;
	return !r->over && clock_outlier_flush(&r->in.outlier, &r->now.pkt)
		       ? fire_single_packet(r, k, d)
		       : 0;
}
