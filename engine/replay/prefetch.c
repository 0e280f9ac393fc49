/* prefetch.c - prefetches state for packets ahead of the current one. */
#include "engine/replay/prefetch.h"

#include "engine/replay/impl.h"

enum { PROTO_TCP = 6, CONN_DISTANCE = PREFETCH_RING / 2 };

static struct prefetched_packet *nth(struct prefetch *a, unsigned i)
{
	return &a->v[(a->first + i) % PREFETCH_RING];
}

static uint16_t port(const unsigned char *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static void prefetch_slot(struct replay *r, struct prefetched_packet *a, const struct packet *p)
{
	const unsigned char *ip = p->data + a->d.net, *l4 = p->data + a->d.l4;
	bool v4 = a->d.version == 4;

	if (!a->d.l4 || a->d.l4 + 4 > p->caplen)
		return;
	if (a->d.frag)
		return;
	if (a->d.proto != PROTO_TCP)
		return;
	a->tcp = true;
	tcp_flow_of(&a->flow, a->d.version, ip + (v4 ? 12 : 8), ip + (v4 ? 16 : 24), port(l4),
		    port(l4 + 2));
	tcp_table_prefetch_slot(&r->tcp.tab, a->flow.hash);
}

static void prefetch_packet(struct replay *r, struct prefetched_packet *a, const struct packet *p)
{
	a->data = p->data;
	a->tcp = false;
	dissect_network(r->now.link, p->data, p->caplen, &a->d);
	if (!a->d.version)
		return;
	dissect_transport(p->data, p->caplen, p->wirelen, &a->d);
	prefetch_slot(r, a, p);
}

/*
 * Describes the next packet that is not prefetched yet. Returns false if the buffer has none, or
 * one of another interface.
 */
static bool peek(struct replay *r, struct packet *p)
{
	return capture_peek(r->in.cap, &r->prefetch.at, p) &&
	       p->iface->serial == r->now.iface_serial;
}

static void prefetch_conn(struct replay *r, struct prefetched_packet *a)
{
	a->flow.conn = tcp_table_prefetch_conn(&r->tcp.tab, a->flow.hash);
}

/* Part of prefetch_packets(). Inline, because it runs for every packet. */
static inline __attribute__((always_inline)) void prefetch_more(struct replay *r)
{
	struct prefetch *a = &r->prefetch;
	struct packet p;

	if (!a->n)
		a->at = NULL;
	while (a->n < PREFETCH_RING - 1 && peek(r, &p)) /* one entry is the current packet's */
		prefetch_packet(r, nth(a, a->n++), &p);
	if (a->n > CONN_DISTANCE && nth(a, CONN_DISTANCE)->tcp)
		prefetch_conn(r, nth(a, CONN_DISTANCE));
}

const struct prefetched_packet *prefetch_packets(struct replay *r)
{
	struct prefetch *a = &r->prefetch;
	const struct prefetched_packet *found = NULL;

	if (unlikely(a->generation != capture_generation(r->in.cap))) {
		a->generation = capture_generation(r->in.cap);
		a->n = 0;
	}
	while (a->n && !found) {
		found = a->v[a->first].data == r->now.pkt.data ? &a->v[a->first] : NULL;
		a->first = (a->first + 1) % PREFETCH_RING;
		a->n--;
	}
	prefetch_more(r);
	return found;
}
