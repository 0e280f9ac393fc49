/*
 * tcp_events.c - fires the hooks for events of TCP connections, and for DNS messages in TCP
 * connections.
 */
#include "engine/replay/impl.h"

#define DNS_PORT 53

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

/*
 * Runs the hook of event @f. If the hook is a tracepoint of the kernel, the arguments are those of
 * the tracepoint. If it is replay's own hook, the arguments are the packet and the socket.
 */
static void run_event(struct replay *r, const struct tcp_firing *f)
{
	uint64_t skb = (uintptr_t)&r->ksim.skb, sk = (uintptr_t)f->sk;
	struct record_sink *k = r->now.sink;

	switch (f->what) {
	case TCP_EV_SET_STATE:
		run_hook(r, SET_STATE,
			 (uint64_t[]){sk, (uint64_t)f->oldstate, (uint64_t)f->newstate}, k);
		break;
	case TCP_EV_RECEIVE_RESET:
	case TCP_EV_DESTROY:
		run_hook(r, hook_of[f->what], (uint64_t[]){sk}, k);
		break;
	case TCP_EV_RETRANSMIT:
		run_hook(r, RETRANSMIT, (uint64_t[]){sk, skb}, k);
		break;
	case TCP_EV_CONNECT_REQUEST:
	case TCP_EV_CONNECT_ESTABLISHED:
	case TCP_EV_CONNECT_REFUSED:
	case TCP_EV_ACCEPT_ESTABLISHED:
	case TCP_EV_ACCEPT_REFUSED:
		run_hook(r, hook_of[f->what], (uint64_t[]){skb, sk}, k);
		break;
	case TCP_NEVENT:
		break;
	}
}

/*
 * Makes ksim.skb describe the packet of the event, and runs the hook. Then restores ksim.skb,
 * because events fire between the hooks of the packet.
 */
static void show_event(struct replay *r, const struct tcp_firing *f)
{
	struct sk_buff *skb, was;

	if (!r->now.shown)
		show_packet(r);
	skb = ksim_show(r, r->now.d.net);
	skb->sk = f->sk;
	was = *skb;
	if (f->saved)
		ksim_show_saved(r, f->saved);
	run_event(r, f);
	*skb = was;
}

void fire_tcp_event(void *ctx, const struct tcp_firing *f)
{
	struct replay *r = ctx;

	if (r->now.owned_end)
		fire_owner(r, tcp_track_is_sender(&r->tcp, f->sk) ? AT_SENDER : AT_RECEIVER, f->sk,
			   r->now.sink);
	if (r->plan.hook[hook_of[f->what]].n)
		show_event(r, f);
	if (r->owner_seen && f->what == TCP_EV_DESTROY)
		clear_owner(r, f->sk, r->now.sink);
}

/* --------------------------------------------------------------------- ICMP errors */

/*
 * Returns the error that ends an attempt to connect (tcp_v4_err() and tcp_v6_err() in net/), or 0
 * if a message with this type and code ends none.
 */
static int icmp_error(bool v4, uint8_t type, uint8_t code)
{
	enum { ECONNREFUSED_ = 111, EHOSTUNREACH_ = 113 };
	enum { UNREACHABLE4 = 3, FRAG_NEEDED = 4, EXCEEDED4 = 11, PARAMETER4 = 12 };
	enum { UNREACHABLE6 = 1, EXCEEDED6 = 3, PARAMETER6 = 4 };

	if (type == (v4 ? UNREACHABLE4 : UNREACHABLE6)) {
		if (v4 && code == FRAG_NEEDED)
			return 0;
		return code == (v4 ? 3 : 4) ? ECONNREFUSED_ : EHOSTUNREACH_;
	}
	return type == (v4 ? EXCEEDED4 : EXCEEDED6) || type == (v4 ? PARAMETER4 : PARAMETER6)
		       ? EHOSTUNREACH_
		       : 0;
}

/*
 * A host drops an error that quotes a packet of another host, because it looks for the socket by
 * the addresses of the quoted packet.
 */
void fire_icmp_error(struct replay *r, struct record_sink *k)
{
	const struct current *now = &r->now;
	bool v4 = now->d.version == 4;
	const unsigned char *outer = now->pkt.data + now->d.net;
	const unsigned char *icmp = now->pkt.data + now->d.l4, *ip = icmp + 8;
	uint32_t at = now->d.l4 + 8, head, daddr = v4 ? 16 : 24, size = v4 ? 4 : 16, end;
	struct tcp_seg *s = &r->now.seg;
	int error;

	/* padding of the frame is not part of the quoted packet */
	end = now->d.net + dissect_ip_length(outer, now->pkt.wirelen - now->d.net);
	end = end < now->pkt.caplen ? end : now->pkt.caplen;
	if (!now->d.l4 || end < at + (v4 ? 20 : 40) || ip[0] >> 4 != now->d.version)
		return;
	head = v4 ? (ip[0] & 15) * 4u : 40;
	error = icmp_error(v4, icmp[0], icmp[1]);
	if (!error || ip[v4 ? 9 : 6] != 6 || (v4 && tcp_seg_be16(ip + 6) & 0x1fff) || head < 20 ||
	    end < at + head + 8 || memcmp(ip + daddr - size, outer + daddr, size) != 0)
		return;
	*s = (struct tcp_seg){
		.now = r->env->time_ns,
		.version = now->d.version,
		.saddr = ip + daddr - size,
		.daddr = ip + daddr,
		.sport = tcp_seg_be16(ip + head),
		.dport = tcp_seg_be16(ip + head + 2),
		.seq = tcp_seg_be32(ip + head + 4),
	};
	r->now.sink = k;
	tcp_track_unreachable(&r->tcp, s, error);
}

/* ------------------------------------------------------------------- DNS messages */

/*
 * Finds the data of segment @t, after its TCP header. Returns false if too little of the header was
 * captured.
 */
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

/*
 * Returns the stream of DNS messages that the segment's sender sends. Clears the stream first if
 * its cookie shows that another connection has used it.
 */
static struct dns_stream *dns_stream(struct replay *r, const struct sock *sk)
{
	struct dns_stream *w = &r->dns[(r->tcp.c->number - 1) * 2 + r->tcp.from];
	uint64_t cookie = (uint64_t)sk->__sk_common.skc_cookie.counter;

	if (w->cookie != cookie)
		*w = (struct dns_stream){.cookie = cookie};
	return w;
}

/* Returns whether the segment has the first data of its sender, after a complete handshake. */
static bool is_first_data(const struct replay *r)
{
	const struct tcp_conn *c = r->tcp.c;

	if (c->attempt != TCP_ATT_DONE || !c->has_synack)
		return false;
	return r->now.seg.seq == (r->tcp.from == c->opener ? c->iss : c->synack) + 1;
}

void run_message_hook(struct replay *r, enum hook_id id, struct sock *sk, struct record_sink *k)
{
	const struct tcp_seg *seg = &r->now.seg;
	struct replay_message *m = &r->ksim.message;
	struct dns_segment s = {.responses = id == DNS_RECEIVE};
	struct dns_stream *w;

	if (!sk || !seg->len || (id == DNS_SEND ? seg->dport : seg->sport) != DNS_PORT ||
	    !segment_data(seg, &s))
		return;
	if (!r->now.shown)
		show_packet(r);
	s.first = is_first_data(r);
	w = dns_stream(r, sk);
	dns_segment_begin(&s, w);
	while (!k->done && dns_segment_next(&s, w, r->ksim.message_text, &m->text, &m->len)) {
		struct sk_buff *skb = ksim_show(r, r->now.d.net);

		skb->sk = sk;
		run_hook(r, id, (uint64_t[]){(uintptr_t)skb, (uintptr_t)sk, (uintptr_t)m}, k);
	}
}
