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
