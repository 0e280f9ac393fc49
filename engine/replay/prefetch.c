/* prefetch.c - prefetches state for packets ahead of the current one. */
#include "engine/replay/prefetch.h"

#include "engine/replay/impl.h"

enum { PROTO_TCP = 6, CONN_DISTANCE = PREFETCH_RING / 2 };

static struct prefetched_packet *nth(struct prefetch *a, unsigned i)
{
	return &a->v[(a->first + i) % PREFETCH_RING];
}

/* Finds the flow of a TCP segment, and prefetches the slot of its connection. */
static inline void prefetch_slot(struct replay *r, struct prefetched_packet *a)
{
	const unsigned char *ip = a->pkt.data + a->d.net, *l4 = a->pkt.data + a->d.l4;
	bool v4 = a->d.version == 4;

	a->tcp = a->d.proto == PROTO_TCP && a->d.l4 && a->d.l4 + 4 <= a->pkt.caplen && !a->d.frag;
	if (!a->tcp)
		return;
	tcp_flow_of(&a->flow, a->d.version, ip + (v4 ? 12 : 8), ip + (v4 ? 16 : 24),
		    tcp_seg_be16(l4), tcp_seg_be16(l4 + 2));
	tcp_table_prefetch_slot(&r->tcp.tab, a->flow.hash);
}

/* Prefetches one packet. Returns false if the buffer has no further packet of this interface. */
static inline bool prefetch_packet(struct replay *r, struct prefetched_packet *a)
{
	if (!capture_peek(r->in.cap, r->prefetch.at, &a->pkt) ||
	    a->pkt.iface->serial != r->now.iface_serial)
		return false;
	r->prefetch.at = capture_after(&a->pkt);
	dissect_frame(r->now.link, a->pkt.data, a->pkt.caplen, a->pkt.wirelen, true, &a->d);
	prefetch_slot(r, a);
	return true;
}

/* Prefetches further packets, for the functions below. Inline, because it runs for every packet. */
static inline __attribute__((always_inline)) void prefetch_more(struct replay *r)
{
	struct prefetch *a = &r->prefetch;
	struct prefetched_packet *far;

	if (unlikely(!a->n))
		a->at = NULL;
	while (a->n < PREFETCH_RING - 1 && prefetch_packet(r, nth(a, a->n)))
		a->n++; /* one entry is the current packet's */
	far = nth(a, CONN_DISTANCE);
	if (likely(a->n > CONN_DISTANCE && far->tcp))
		far->flow.conn = tcp_table_prefetch_conn(&r->tcp.tab, far->flow.hash);
}

static inline struct prefetched_packet *take_first(struct prefetch *a)
{
	struct prefetched_packet *p = &a->v[a->first];

	a->first = (a->first + 1) % PREFETCH_RING;
	a->n--;
	return p;
}

const struct prefetched_packet *prefetch_take(struct replay *r)
{
	struct prefetch *a = &r->prefetch;
	const struct prefetched_packet *found;

	if (!a->n || !capture_take(r->in.cap, &a->v[a->first].pkt, a->generation))
		return NULL;
	found = take_first(a);
	prefetch_more(r);
	return found;
}

const struct prefetched_packet *prefetch_packets(struct replay *r)
{
	struct prefetch *a = &r->prefetch;
	const struct prefetched_packet *found = NULL, *p;

	if (unlikely(a->generation != capture_generation(r->in.cap))) {
		a->generation = capture_generation(r->in.cap);
		a->n = 0;
	}
	while (a->n && !found) {
		p = take_first(a);
		found = p->pkt.data == r->now.pkt.data ? p : NULL;
	}
	prefetch_more(r);
	return found;
}
