/*
 * ahead.c - packets are looked at before their turn.
 */
#include "engine/replay/ahead.h"

#include "engine/replay/impl.h"

enum { PROTO_TCP = 6, NEAR = AHEAD / 2 };

static struct ahead_packet *nth(struct ahead *a, unsigned i)
{
	return &a->v[(a->first + i) % AHEAD];
}

static uint16_t port(const unsigned char *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static void look_for_connection(struct replay *r, struct ahead_packet *a, const struct packet *p)
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
	tcp_whose(&a->whose, a->d.version, ip + (v4 ? 12 : 8), ip + (v4 ? 16 : 24), port(l4),
		  port(l4 + 2));
	tcp_table_await(&r->tcp.tab, a->whose.hash);
}

static void look_at(struct replay *r, struct ahead_packet *a, const struct packet *p)
{
	a->data = p->data;
	a->tcp = false;
	dissect_network(r->link, p->data, p->caplen, &a->d);
	if (!a->d.version)
		return;
	dissect_transport(p->data, p->caplen, p->wirelen, &a->d);
	look_for_connection(r, a, p);
}

/* The next record behind those that were looked at, of the present interface. */
static bool peek(struct replay *r, struct packet *p)
{
	return capture_peek(r->cap, &r->ahead.at, p) && p->iface->serial == r->iface_serial;
}

static void await_connection(struct replay *r, struct ahead_packet *a)
{
	a->whose.number = tcp_table_await_conn(&r->tcp.tab, a->whose.hash);
}

/* A part of ahead_look(), which every packet passes. */
static inline __attribute__((always_inline)) void look_on(struct replay *r)
{
	struct ahead *a = &r->ahead;
	struct packet p;

	if (!a->n)
		a->at = NULL;
	while (a->n < AHEAD - 1 && peek(r, &p)) /* one place is the present packet's */
		look_at(r, nth(a, a->n++), &p);
	if (a->n > NEAR && nth(a, NEAR)->tcp)
		await_connection(r, nth(a, NEAR));
}

const struct ahead_packet *ahead_look(struct replay *r)
{
	struct ahead *a = &r->ahead;
	const struct ahead_packet *found = NULL;

	if (unlikely(a->generation != capture_generation(r->cap))) {
		a->generation = capture_generation(r->cap);
		a->n = 0;
	}
	while (a->n && !found) {
		found = a->v[a->first].data == r->pkt.data ? &a->v[a->first] : NULL;
		a->first = (a->first + 1) % AHEAD;
		a->n--;
	}
	look_on(r);
	return found;
}
