/*
 * fire.c - which hooks a packet fires, in the order of a kernel: the sender's, then
 * the receiver's.
 *
 * fire_batch > fire_packet > fire_both > fire_sender, fire_receiver: the local ends.
 * fire_datagram: fragments become datagrams first.  fire_whole > fire_sent,
 * fire_received: a whole datagram of one of the protocols, with its socket.
 * fire_skb > fire_hook > run_units: one hook.
 */
#include "engine/replay/impl.h"

#include "base/clock.h"

#define BATCH 4096
#define DNS_PORT 53
#define REORDER_NS 1000000000u /* ns: CPUs put packets in another order, no clock was set back */

enum { PACKET_HOST = 0, PACKET_OUTGOING = 4, PACKET_TYPES = 5 };

const struct hook_def hook_defs[NHOOK] = {
	[TCP_SEND] = {HOOK_REPLAY, "tcp_send", WHOLE_SENT | TCPS, 2},
	[DNS_SEND] = {HOOK_REPLAY, "dns_send", WHOLE_SENT | TCPS | MESSAGES, 3},
	[UDP_SEND] = {HOOK_REPLAY, "udp_send", WHOLE_SENT, 2},
	[UDPLITE_SEND] = {HOOK_REPLAY, "udplite_send", WHOLE_SENT, 2},
	[SEND] = {HOOK_REPLAY, "send", WHOLE_SENT | TCPS, 2},
	[EGRESS] = {HOOK_CGROUP_SKB, "egress", AT_SENDER | AT_IP | WITH_SOCKET | TRANSPORT, 1},
	[NET_DEV_QUEUE] = {HOOK_RAWTP, "net_dev_queue", AT_SENDER | WITH_SOCKET, 1},
	[NETIF_RECEIVE_SKB] = {HOOK_RAWTP, "netif_receive_skb", AT_RECEIVER | AT_IP, 1},
	[INGRESS] = {HOOK_CGROUP_SKB, "ingress",
		     AT_RECEIVER | AT_IP | WITH_SOCKET | TRANSPORT | WHOLE, 1},
	[TCP_RECEIVE] = {HOOK_REPLAY, "tcp_receive", WHOLE_RECEIVED | TCPS, 2},
	[DNS_RECEIVE] = {HOOK_REPLAY, "dns_receive", WHOLE_RECEIVED | TCPS | MESSAGES, 3},
	[UDP_RECEIVE] = {HOOK_REPLAY, "udp_receive", WHOLE_RECEIVED, 2},
	[UDPLITE_RECEIVE] = {HOOK_REPLAY, "udplite_receive", WHOLE_RECEIVED, 2},
	[RECEIVE] = {HOOK_REPLAY, "receive", WHOLE_RECEIVED | TCPS, 2},
	[CONNECT_REQUEST] = {HOOK_REPLAY, "connect_request", OF_TCP, 2},
	[CONNECT_ESTABLISHED] = {HOOK_REPLAY, "connect_established", OF_TCP, 2},
	[CONNECT_REFUSED] = {HOOK_REPLAY, "connect_refused", OF_TCP, 2},
	[ACCEPT_ESTABLISHED] = {HOOK_REPLAY, "accept_established", OF_TCP, 2},
	[ACCEPT_REFUSED] = {HOOK_REPLAY, "accept_refused", OF_TCP, 2},
	[SET_STATE] = {HOOK_RAWTP, "inet_sock_set_state", OF_TCP, 3},
	[RECEIVE_RESET] = {HOOK_RAWTP, "tcp_receive_reset", OF_TCP, 1},
	[RETRANSMIT] = {HOOK_RAWTP, "tcp_retransmit_skb", OF_TCP, 2},
	[DESTROY] = {HOOK_RAWTP, "tcp_destroy_sock", OF_TCP, 1},
	[OWNER] = {HOOK_REPLAY, "owner", TRANSPORT, 3},
};

static const struct protocol protocols[] = {
	/* TCP is the first */
	{6, KSIM_SOCK_STREAM, true, TCP_SEND, TCP_RECEIVE},
	{17, KSIM_SOCK_DGRAM, false, UDP_SEND, UDP_RECEIVE},
	{136, KSIM_SOCK_DGRAM, false, UDPLITE_SEND, UDPLITE_RECEIVE},
};

const struct protocol *protocol_find(uint8_t number)
{
	for (size_t i = 0; i < sizeof(protocols) / sizeof(*protocols); i++)
		if (protocols[i].number == number)
			return &protocols[i];
	return NULL;
}

/* ------------------------------------------------------------------- firing */

/* Runs the units in order; the first that ends the run is the last. */
static void run_units(struct replay *r, const struct units *u, const uint64_t *ctx, unsigned nctx,
		      struct record_sink *k)
{
	uint32_t i;

	for (i = 0; i < u->n && !k->done; i++)
		vm_run(r->vm, u->v[i], ctx, nctx, k);
}

/* @ctx: the hook's arguments. */
static void fire_hook(struct replay *r, enum hook_id id, const uint64_t *ctx, struct record_sink *k)
{
	if (r->hook[id].n)
		run_units(r, &r->hook[id], ctx, hook_defs[id].narg, k);
}

/* A hook whose arguments are the packet and its socket, or only the packet. */
static inline void fire_skb(struct replay *r, enum hook_id id, struct sock *sk,
			    struct record_sink *k)
{
	unsigned flags = hook_defs[id].flags;
	struct sk_buff *skb;

	if (!r->hook[id].n)
		return;
	skb = ksim_show(r, flags & AT_IP ? r->d.net : 0);
	skb->skb_iif = flags & AT_RECEIVER ? r->ksim.dev.ifindex : 0;
	skb->sk = flags & WITH_SOCKET ? sk : NULL;
	fire_hook(r, id, (uint64_t[]){(uintptr_t)skb, (uintptr_t)skb->sk}, k);
}

/* ------------------------------------------------------------------ owners */

/* A capture may tell of the process at one end: that which is local, if the packet does not say. */
static void place_owner(struct replay *r)
{
	unsigned at = AT_SENDER | AT_RECEIVER;

	r->owned = 0;
	if (likely(!r->pkt.owner.pid) || !r->hook[OWNER].n)
		return;
	if (r->pkt.dir != CAPTURE_DIR_UNKNOWN)
		at = r->pkt.dir == CAPTURE_DIR_OUT ? AT_SENDER : AT_RECEIVER;
	at &= r->sides;
	if (at == (AT_SENDER | AT_RECEIVER))
		r->ambiguous_owners++;
	else
		r->owned = at;
	r->told |= r->owned;
}

static void fire_owner(struct replay *r, struct sock *sk, struct task_struct *t,
		       struct record_sink *k)
{
	fire_hook(r, OWNER, (uint64_t[]){(uintptr_t)sk, (uintptr_t)t, (uintptr_t)&r->ksim.names},
		  k);
}

/* Before anything else of a socket at the end @side. */
static void tell_owner(struct replay *r, unsigned side, struct sock *sk, struct record_sink *k)
{
	if (unlikely(r->owned & side) && sk)
		fire_owner(r, sk, ksim_set_owner(r), k);
}

/* Of a socket that is gone; and of that which all packets have that have none of their own. */
static void forget_owner(struct replay *r, struct sock *sk, struct record_sink *k)
{
	fire_owner(r, sk, ksim_clear_owner(r), k);
}

/* ---------------------------------------------------------- TCP connections */

static const enum hook_id hook_of[TCP_NEVENT] = {
	[TCP_EV_SET_STATE] = SET_STATE,
	[TCP_EV_CONNECT_REQUEST] = CONNECT_REQUEST,
	[TCP_EV_CONNECT_ESTABLISHED] = CONNECT_ESTABLISHED,
	[TCP_EV_CONNECT_REFUSED] = CONNECT_REFUSED,
	[TCP_EV_ACCEPT_ESTABLISHED] = ACCEPT_ESTABLISHED,
	[TCP_EV_ACCEPT_REFUSED] = ACCEPT_REFUSED,
	[TCP_EV_RECEIVE_RESET] = RECEIVE_RESET,
	[TCP_EV_RETRANSMIT] = RETRANSMIT,
	[TCP_EV_DESTROY] = DESTROY,
};

static void fire_event(struct replay *r, const struct tcp_firing *f)
{
	uint64_t skb = (uintptr_t)&r->ksim.skb, sk = (uintptr_t)f->sk;

	switch (f->what) {
	case TCP_EV_SET_STATE:
		fire_hook(r, SET_STATE,
			  (uint64_t[]){sk, (uint64_t)f->oldstate, (uint64_t)f->newstate}, r->now);
		break;
	case TCP_EV_RECEIVE_RESET:
	case TCP_EV_DESTROY:
		fire_hook(r, hook_of[f->what], (uint64_t[]){sk}, r->now);
		break;
	case TCP_EV_RETRANSMIT:
		fire_hook(r, RETRANSMIT, (uint64_t[]){sk, skb}, r->now);
		break;
	case TCP_EV_CONNECT_REQUEST:
	case TCP_EV_CONNECT_ESTABLISHED:
	case TCP_EV_CONNECT_REFUSED:
	case TCP_EV_ACCEPT_ESTABLISHED:
	case TCP_EV_ACCEPT_REFUSED:
		fire_hook(r, hook_of[f->what], (uint64_t[]){skb, sk}, r->now);
		break;
	case TCP_NEVENT:
		break;
	}
}

/* What programs see is the present packet. */
static inline void show_packet(struct replay *r)
{
	r->shown = true;
	ksim_set_packet(r);
	vm_region(r->vm, REGION_PACKET, r->pkt.data, r->pkt.caplen);
}

static void show_tcp_event(struct replay *r, const struct tcp_firing *f)
{
	struct sk_buff *skb, was;

	if (!r->shown)
		show_packet(r);
	skb = ksim_show(r, r->d.net);
	skb->sk = f->sk;
	was = *skb;
	if (f->saved)
		ksim_show_saved(r, f->saved);
	fire_event(r, f);
	*skb = was;
}

void fire_tcp_event(void *ctx, const struct tcp_firing *f)
{
	struct replay *r = ctx;

	if (r->owned)
		tell_owner(r, tcp_track_is_sender(&r->tcp, f->sk) ? AT_SENDER : AT_RECEIVER, f->sk,
			   r->now);
	if (r->hook[hook_of[f->what]].n)
		show_tcp_event(r, f);
	if (r->told && f->what == TCP_EV_DESTROY)
		forget_owner(r, f->sk, r->now);
}

/* What the IP header says the packet's length is; what it cannot say, the wire's. */
static uint32_t ip_length(const struct replay *r)
{
	const unsigned char *ip = r->pkt.data + r->d.net;
	uint32_t wirelen = r->pkt.wirelen - r->d.net, len;

	if (r->d.version == 4)
		len = (uint32_t)(ip[2] << 8 | ip[3]);
	else
		len = (uint32_t)(ip[4] << 8 | ip[5]) + 40;
	return len > wirelen || len == (r->d.version == 4 ? 0 : 40) ? wirelen : len;
}

static void follow_now(struct replay *r)
{
	const unsigned char *ip = r->pkt.data + r->d.net;
	uint32_t at = r->d.l4 - r->d.net, len = ip_length(r), cap = r->pkt.caplen - r->d.net;
	struct tcp_seg *s = &r->seg;

	if (len < at)
		return;
	if (cap > len)
		cap = len;
	s->now = r->env->time_ns;
	s->flow = r->prefetched && r->prefetched->tcp ? &r->prefetched->flow : NULL;
	s->ip = ip;
	s->ip_len = cap;
	s->ip_wirelen = len;
	s->l4 = at;
	s->version = r->d.version;
	s->saddr = ip + (r->d.version == 4 ? 12 : 8);
	s->daddr = ip + (r->d.version == 4 ? 16 : 24);
	if (!tcp_seg_parse(s, ip + at, cap - at, len - at))
		return;
	r->following = true;
	tcp_track_packet(&r->tcp, s, r->sides & AT_SENDER, r->sides & AT_RECEIVER);
}

/* Once for a packet, however many sides ask. */
static inline void follow(struct replay *r, struct record_sink *k)
{
	r->now = k;
	if (!r->following)
		follow_now(r);
}

/* ---------------------------------------------------------------- datagrams */

static struct sock *connection(struct replay *r, bool out, struct record_sink *k)
{
	if (!r->follow)
		return &r->ksim.sk;
	follow(r, k);
	if (!r->following)
		return NULL;
	if (out)
		return tcp_track_send(&r->tcp);
	return tcp_track_receive(&r->tcp);
}

/* The socket at one end; units that do not look at it get any. */
static struct sock *socket_of(struct replay *r, const struct protocol *p, bool out,
			      struct record_sink *k)
{
	if (p->connects)
		return connection(r, out, k);
	return r->sockets ? ksim_datagram_socket(r, out) : &r->ksim.sk;
}

/* Whether anything looks at whole datagrams at that end: their sockets cost. */
static bool wanted(const struct replay *r, const struct protocol *p, enum hook_id own,
		   enum hook_id of_all)
{
	return r->hook[own].n || r->hook[of_all].n || r->owned || (p->connects && r->follow);
}

/* The segment's data; false: not all of its header was captured. */
static bool segment_data(const struct tcp_seg *t, struct dns_segment *s)
{
	uint32_t at = t->l4 + 12;

	if (at >= t->ip_len)
		return false;
	at = t->l4 + (t->ip[at] >> 4) * 4u;
	s->data = t->ip + at;
	s->captured = t->ip_len > at ? t->ip_len - at : 0;
	s->len = t->len;
	s->seq = t->seq;
	return true;
}

/* What is known of the sender's way; of another connection's that had its place, nothing. */
static struct dns_stream *dns_stream(struct replay *r, const struct sock *sk)
{
	struct dns_stream *w = &r->dns[(r->tcp.c->number - 1) * 2 + r->tcp.from];
	uint64_t cookie = (uint64_t)sk->__sk_common.skc_cookie.counter;

	if (w->cookie != cookie)
		*w = (struct dns_stream){.cookie = cookie};
	return w;
}

static void fire_messages(struct replay *r, bool out, struct sock *sk, struct record_sink *k)
{
	enum hook_id id = out ? DNS_SEND : DNS_RECEIVE;
	struct replay_message *m = &r->ksim.message;
	struct dns_segment s = {.responses = !out};
	struct dns_stream *w;

	if (!sk || !r->seg.len || (out ? r->seg.dport : r->seg.sport) != DNS_PORT ||
	    !segment_data(&r->seg, &s))
		return;
	w = dns_stream(r, sk);
	dns_segment_begin(&s, w);
	while (!k->done && dns_segment_next(&s, w, &m->at, &m->len)) {
		struct sk_buff *skb = ksim_show(r, r->d.net);

		skb->sk = sk;
		fire_hook(r, id, (uint64_t[]){(uintptr_t)skb, (uintptr_t)sk, (uintptr_t)m}, k);
	}
}

/* What a whole datagram fires at either end. */
static void fire_sent(struct replay *r, const struct protocol *p, struct record_sink *k)
{
	struct sock *sk;

	if (!wanted(r, p, p->sent, SEND))
		return;
	sk = socket_of(r, p, true, k);
	tell_owner(r, AT_SENDER, sk, k);
	fire_skb(r, p->sent, sk, k);
	if (p->connects && r->hook[DNS_SEND].n)
		fire_messages(r, true, sk, k);
	fire_skb(r, SEND, sk, k);
	r->ksim.sk.__sk_common.skc_cookie.counter = 0;
}

static void fire_received(struct replay *r, const struct protocol *p, struct record_sink *k)
{
	struct sock *sk;

	fire_skb(r, INGRESS, &r->ksim.sk, k);
	if (!wanted(r, p, p->received, RECEIVE))
		return;
	sk = socket_of(r, p, false, k);
	tell_owner(r, AT_RECEIVER, sk, k);
	fire_skb(r, p->received, sk, k);
	if (p->connects && r->hook[DNS_RECEIVE].n)
		fire_messages(r, false, sk, k);
	fire_skb(r, RECEIVE, sk, k);
	r->ksim.sk.__sk_common.skc_cookie.counter = 0;
	if (r->following)
		tcp_track_received(&r->tcp);
}

static void fire_whole(struct replay *r, unsigned side, struct record_sink *k)
{
	const struct protocol *p = protocol_find(r->d.proto);

	if (!p || !r->d.l4 || r->d.frag)
		return;
	if (side == AT_SENDER)
		fire_sent(r, p, k);
	else
		fire_received(r, p, k);
}

/* Once for a fragment, however many sides ask. */
static bool made_whole(struct replay *r)
{
	const struct dissect *d = &r->d;
	const struct fragment f = {
		.ip = r->pkt.data + d->net,
		.captured = r->pkt.caplen - d->net,
		.wirelen = r->pkt.wirelen - d->net,
		.version = d->version,
		.at = (uint16_t)(d->frag_at - d->net),
		.next = (uint16_t)(d->frag_next - d->net),
	};

	if (r->tried)
		return r->datagram.data;
	if (!r->frags)
		r->frags = reassembly_new();
	r->tried = true;
	if (!reassemble(r->frags, &f, r->env->time_ns, &r->datagram))
		r->datagram.data = NULL;
	return r->datagram.data;
}

/* The hooks see the reassembled datagram in place of its last fragment. */
static void fire_reassembled(struct replay *r, unsigned side, struct record_sink *k)
{
	const struct dissect d = r->d;
	const struct packet pkt = r->pkt;

	r->prefetched = NULL;
	r->pkt.data = r->datagram.data;
	r->pkt.caplen = r->datagram.captured;
	r->pkt.wirelen = r->datagram.wirelen;
	r->d = (struct dissect){.ethertype = d.ethertype,
				.version = d.version,
				.vlan = d.vlan,
				.vlan_tci = d.vlan_tci,
				.pkt_type = d.pkt_type};
	vm_region(r->vm, REGION_DATAGRAM, r->pkt.data, r->pkt.caplen);
	ksim_set_packet(r);
	r->ksim.skb.mac_header = NO_HEADER;
	fire_whole(r, side, k);
	if (side == AT_SENDER && r->following)
		tcp_track_sent(&r->tcp);
	vm_region(r->vm, REGION_DATAGRAM, NULL, 0);
	r->pkt = pkt;
	r->d = d;
	ksim_set_packet(r);
}

static void fire_datagram(struct replay *r, unsigned side, struct record_sink *k)
{
	if (!(r->whole & side))
		return;
	if (likely(!r->d.frag))
		fire_whole(r, side, k);
	else if (made_whole(r))
		fire_reassembled(r, side, k);
}

/* ------------------------------------------------------------------ packets */

static void fire_sender(struct replay *r, struct record_sink *k)
{
	r->ksim.skb.pkt_type = PACKET_HOST;
	fire_datagram(r, AT_SENDER, k);
	if (r->d.version)
		fire_skb(r, EGRESS, &r->ksim.sk, k);
	fire_skb(r, NET_DEV_QUEUE, &r->ksim.sk, k);
	if (r->following && !r->d.frag)
		tcp_track_sent(&r->tcp);
}

static void fire_receiver(struct replay *r, struct record_sink *k)
{
	fire_skb(r, NETIF_RECEIVE_SKB, NULL, k);
	fire_datagram(r, AT_RECEIVER, k);
}

/* -x local=auto: a packet that the file says nothing about counts as both. */
static unsigned sides_by_file(const struct replay *r)
{
	enum capture_dir dir = r->pkt.dir;
	uint8_t type = r->d.pkt_type;

	if (dir == CAPTURE_DIR_UNKNOWN && type < PACKET_TYPES)
		dir = type == PACKET_OUTGOING ? CAPTURE_DIR_OUT : CAPTURE_DIR_IN;
	return dir == CAPTURE_DIR_OUT  ? AT_SENDER
	       : dir == CAPTURE_DIR_IN ? AT_RECEIVER
				       : AT_SENDER | AT_RECEIVER;
}

/* -x local=ADDR,... */
static unsigned sides_by_address(const struct replay *r)
{
	const unsigned char *ip = r->pkt.data + r->d.net;
	const unsigned char *to = ip + (r->d.version == 4 ? 16 : 24);
	int v = r->d.version;
	unsigned sides;

	if (!v)
		return AT_SENDER | AT_RECEIVER;
	sides = (local_has(&r->local, v, ip + (v == 4 ? 12 : 8)) ? AT_SENDER : 0) |
		(local_has(&r->local, v, to) ? AT_RECEIVER : 0);
	return sides || !local_has_multicast(&r->local, v, to) ? sides : AT_RECEIVER;
}

/* The AT_* of the packet's ends that are local. */
static unsigned local_sides(const struct replay *r)
{
	switch (r->local.mode) {
	case LOCAL_ALL:
		break;
	case LOCAL_AUTO:
		return sides_by_file(r);
	case LOCAL_LIST:
		return sides_by_address(r);
	}
	return AT_SENDER | AT_RECEIVER;
}

static uint8_t type_received(const struct replay *r)
{
	return r->local.mode == LOCAL_AUTO && r->d.pkt_type < PACKET_OUTGOING ? r->d.pkt_type
									      : PACKET_HOST;
}

static void send_quietly(struct replay *r, struct record_sink *k)
{
	follow(r, k);
	if (!r->following)
		return;
	tcp_track_send(&r->tcp);
	tcp_track_sent(&r->tcp);
}

static void receive_quietly(struct replay *r, struct record_sink *k)
{
	follow(r, k);
	if (!r->following)
		return;
	tcp_track_receive(&r->tcp);
	tcp_track_received(&r->tcp);
}

/* fire_receiver() of a segment that changes no state, without asking what it is. */
static inline void receive_steady(struct replay *r, struct record_sink *k)
{
	struct sock *sk = tcp_track_receiver_fast(&r->tcp);

	r->ksim.skb.pkt_type = type_received(r);
	fire_skb(r, NETIF_RECEIVE_SKB, NULL, k);
	fire_skb(r, INGRESS, &r->ksim.sk, k);
	fire_skb(r, TCP_RECEIVE, sk, k);
	if (r->hook[DNS_RECEIVE].n)
		fire_messages(r, false, sk, k);
	fire_skb(r, RECEIVE, sk, k);
}

/* Of such a segment what has no hooks is only counted. */
static inline void fire_steady(struct replay *r, struct record_sink *k)
{
	if (r->quiet & AT_SENDER)
		tcp_track_sent_fast(&r->tcp);
	else if (r->sides & AT_SENDER)
		fire_sender(r, k);
	if (!(r->quiet & AT_RECEIVER) && r->sides & AT_RECEIVER)
		receive_steady(r, k);
	tcp_track_received_fast(&r->tcp);
}

static void fire_changing(struct replay *r, struct record_sink *k)
{
	if (r->sides & AT_SENDER)
		(r->quiet & AT_SENDER ? send_quietly : fire_sender)(r, k);
	if (r->sides & AT_RECEIVER) {
		r->ksim.skb.pkt_type = type_received(r);
		(r->quiet & AT_RECEIVER ? receive_quietly : fire_receiver)(r, k);
	}
	if (r->following)
		tcp_track_received(&r->tcp);
}

/* fire_both() of a segment whose owner nobody asks for. */
static inline void fire_segment(struct replay *r, struct record_sink *k)
{
	r->sides = local_sides(r);
	r->ksim.skb.pkt_type = PACKET_HOST;
	if (r->sides)
		follow(r, k);
	if (r->quiet != (AT_SENDER | AT_RECEIVER))
		show_packet(r);
	if (likely(r->following && r->tcp.fast_path))
		fire_steady(r, k);
	else
		fire_changing(r, k);
	r->following = false;
}

static void fire_both(struct replay *r, struct record_sink *k)
{
	r->sides = local_sides(r);
	place_owner(r);
	tell_owner(r, r->owned, &r->ksim.sk, k);
	if (r->sender && r->sides & AT_SENDER)
		fire_sender(r, k);
	if (r->receiver && r->sides & AT_RECEIVER) {
		r->ksim.skb.pkt_type = type_received(r);
		fire_receiver(r, k);
	}
	if (r->following)
		tcp_track_received(&r->tcp);
	r->following = false;
	if (unlikely(r->owned))
		forget_owner(r, &r->ksim.sk, k);
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

/* Time does not go back: the packet has that of the latest before it. */
static uint64_t late_time(struct replay *r)
{
	uint64_t by = r->env->time_ns - r->pkt.ts_ns;

	if (r->sniffer && by < REORDER_NS)
		return r->env->time_ns;
	r->late_packets++;
	if (by > r->late_ns)
		r->late_ns = by;
	return r->env->time_ns;
}

static inline void find_network(struct replay *r)
{
	r->prefetched = r->follow ? prefetch_packets(r) : NULL;
	if (r->prefetched)
		r->d = r->prefetched->d;
	else
		dissect_network(r->link, r->pkt.data, r->pkt.caplen, &r->d);
}

/* The packet in r->pkt: ticks before it, then its hooks. */
static inline int fire_packet(struct replay *r, struct record_sink *k, struct diag *d)
{
	uint64_t now = r->pkt.ts_ns;

	if (unlikely(now < r->env->time_ns))
		now = late_time(r);
	if (unlikely(r->ticks.due <= now)) {
		fire_ticks(r, now, k);
		if (k->done || r->over)
			return 0;
	}
	r->env->time_ns = now;
	if (unlikely(r->pkt.iface->serial != r->iface_serial) && ksim_set_iface(r, r->pkt.iface, d))
		return -1;
	if (!r->sender && !r->receiver)
		return 0;
	find_network(r);
	r->tried = r->shown = false;
	if (r->segments && r->prefetched && r->prefetched->tcp) {
		fire_segment(r, k);
		return 0;
	}
	show_packet(r);
	fire_both(r, k);
	return 0;
}

/* ------------------------------------------------------------------- batches */

/* What ended the capture, as wait() returns it. */
static int at_end(struct replay *r, enum capture_result res, struct diag *d)
{
	reassembly_end(r->frags);
	if (res == CAPTURE_BAD && r->late.msg)
		return diag_error(d, r->late.tag, r->late.loc, "%s", r->late.msg);
	return res == CAPTURE_BAD ? -1 : 0;
}

/* Nothing came from an interface: so time has passed. */
static int pass_time(struct replay *r, struct record_sink *k)
{
	uint64_t now = now_real() - SNIFFER_LAG_NS;

	if (!r->sniffer || now <= r->env->time_ns)
		return 1;
	fire_ticks(r, now, k);
	if (now > r->env->time_ns && !r->over)
		r->env->time_ns = now;
	return !r->over;
}

static enum capture_result next_packet(struct replay *r)
{
	if (r->late.nerr && !r->outlier.ended)
		return CAPTURE_BAD;
	return clock_outlier_next(&r->outlier, r->cap, r->env->time_ns, &r->pkt, &r->late);
}

int fire_batch(struct replay *r, struct record_sink *k, struct diag *d)
{
	enum capture_result res;
	unsigned i;

	if (r->addrs)
		iface_addrs_update(r->addrs, &r->local);
	for (i = 0; i < BATCH && !k->done; i++) {
		res = next_packet(r);
		if (unlikely(res == CAPTURE_AGAIN))
			return pass_time(r, k);
		if (unlikely(res != CAPTURE_PACKET))
			return at_end(r, res, d);
		if (unlikely(fire_packet(r, k, d)))
			return -1;
		if (unlikely(r->over))
			return 0;
	}
	return 1;
}

/* What came before now, and is not looked at yet. */
static int fire_until(struct replay *r, uint64_t now, struct record_sink *k, struct diag *d)
{
	while (!k->done && !r->over && next_packet(r) == CAPTURE_PACKET && r->pkt.ts_ns <= now)
		if (fire_packet(r, k, d))
			return -1;
	return 0;
}

int fire_held(struct replay *r, struct record_sink *k, struct diag *d)
{
	uint64_t now = now_real();

	if (r->sniffer && !r->late.nerr && fire_until(r, now, k, d))
		return -1;
	if (r->sniffer && now > r->env->time_ns && !r->over && !k->done)
		r->env->time_ns = now;
	return !r->over && clock_outlier_flush(&r->outlier, &r->pkt) ? fire_packet(r, k, d) : 0;
}
