/* prefetch.c - prefetches state for packets ahead of the current one. */
#include "engine/replay/prefetch.h"

#include "engine/replay/capture/inline.h"
#include "engine/replay/impl.h"

enum { PROTO_TCP = 6, CONN_DISTANCE = PREFETCH_RING / 2 };

/*
 * Returns packet @i of the ring. The empty asm makes compilers keep the address in a register,
 * instead of computing it again for each member.
 */
static inline struct prefetched_packet *nth(struct prefetch *a, unsigned i)
{
	struct prefetched_packet *p = &a->v[(a->first + i) % PREFETCH_RING];

	__asm__("" : "+r"(p));
	return p;
}

/*
 * Prefetches @pkt if it is a TCP segment that takes the fast path, as far as its headers show. @v6
 * is a constant. Returns false for other packets: those with unusual IP headers or lengths, an
 * incomplete TCP header, or other flags. In this case only a->seg may have changed.
 */
INLINE bool prefetch_fast(const struct replay *r, const struct peeked_packet *pkt, bool v6,
			  struct prefetched_packet *a)
{
	enum { NET = 14, FLAGS = TCP_SYN | TCP_FIN | TCP_RST | TCP_URG | TCP_ACK };
	const uint32_t at = v6 ? 40 : 20;
	const unsigned char *ip = pkt->data + NET, *p = ip + at;
	uint32_t cap = pkt->caplen - NET, wirelen = pkt->wirelen - NET, len;
	struct tcp_seg *s = &a->seg;

	if (pkt->caplen < NET + at + TCP_SEG_HEADER)
		return false;
	if (v6 ? ip[0] >> 4 != 6 || ip[6] != PROTO_TCP
	       : ip[0] != 0x45 || tcp_seg_be16(ip + 6) & 0x3fff || ip[9] != PROTO_TCP)
		return false;
	len = v6 ? tcp_seg_be16(ip + 4) + 40u : tcp_seg_be16(ip + 2);
	if (len > wirelen || at + (uint32_t)(p[12] >> 4) * 4 > len || (p[13] & FLAGS) != TCP_ACK ||
	    !tcp_seg_parse(s, p, cap - at, len - at))
		return false;
	tcp_flow_of(&a->flow, v6 ? 6 : 4, ip + (v6 ? 8 : 12), ip + (v6 ? 24 : 16), s->sport,
		    s->dport);
	tcp_table_prefetch_slot(&r->tcp.tab, a->flow.hash);
	a->needs = NEEDS_FAST;
	a->tcp = true;
	return true;
}

/* Prefetches a packet of any kind. Not inlined, because most packets take prefetch_fast(). */
static __attribute__((noinline)) void prefetch_any(const struct replay *r,
						   struct prefetched_packet *a)
{
	const unsigned char *ip, *l4;
	bool v4;

	dissect_frame(r->now.link, a->pkt.data, a->pkt.caplen, a->pkt.wirelen, true, &a->d);
	a->needs = NEEDS_ALL;
	a->tcp = a->d.proto == PROTO_TCP && a->d.l4 && a->d.l4 + 4 <= a->pkt.caplen && !a->d.frag;
	if (!a->tcp) {
		if (!a->d.frag && !a->d.odd && r->in.local.mode == LOCAL_ALL &&
		    !is_icmp(a->d.proto, a->d.version) &&
		    !plan_sees(&r->plan, kind_of_packet(&a->d)))
			a->needs = NEEDS_NOTHING;
		return;
	}
	ip = a->pkt.data + a->d.net;
	l4 = a->pkt.data + a->d.l4;
	v4 = a->d.version == 4;
	tcp_flow_of(&a->flow, a->d.version, ip + (v4 ? 12 : 8), ip + (v4 ? 16 : 24),
		    tcp_seg_be16(l4), tcp_seg_be16(l4 + 2));
	tcp_table_prefetch_slot(&r->tcp.tab, a->flow.hash);
}

/* Does the work of prefetch_packet() for a packet that only capture_peek() can describe. */
static __attribute__((noinline)) bool prefetch_unusual(struct replay *r,
						       struct prefetched_packet *a)
{
	if (!capture_peek(r->in.cap, r->prefetch.at, &a->pkt) ||
	    a->pkt.iface->serial != r->now.iface_serial)
		return false;
	r->prefetch.at = capture_after(&a->pkt);
	prefetch_any(r, a);
	return true;
}

/* Prefetches one packet. Returns false if the buffer has no further packet of this interface. */
INLINE bool prefetch_packet(struct replay *r, struct prefetched_packet *a)
{
	struct peeked_packet pkt; /* stays in registers, unlike a->pkt */
	const unsigned char *after = capture_peek_inline(r->in.cap, r->prefetch.at, &pkt);
	uint16_t type = 0;

	if (unlikely(!after || pkt.iface->serial != r->now.iface_serial))
		return prefetch_unusual(r, a);
	r->prefetch.at = after;
	a->pkt = pkt;
	if (likely(r->fast_segments && pkt.caplen > 14))
		memcpy(&type, pkt.data + 12, sizeof(type));
	if (likely(type == __builtin_bswap16(ETHERTYPE_IPV4)) && prefetch_fast(r, &pkt, false, a))
		return true;
	if (type == __builtin_bswap16(ETHERTYPE_IPV6) && prefetch_fast(r, &pkt, true, a))
		return true;
	prefetch_any(r, a);
	return true;
}

/*
 * Prefetches the connection of the packet at position CONN_DISTANCE of the ring, which must exist.
 */
static inline void prefetch_conn(struct replay *r)
{
	struct prefetched_packet *far = nth(&r->prefetch, CONN_DISTANCE);

	if (likely(far->tcp))
		far->flow.conn = tcp_table_prefetch_conn(&r->tcp.tab, far->flow.hash,
							 far->flow.from);
}

/* Fills the ring, except the entry of the current packet. */
static void prefetch_more(struct replay *r)
{
	struct prefetch *a = &r->prefetch;

	if (!a->n)
		a->at = NULL;
	while (a->n < PREFETCH_RING - 1 && prefetch_packet(r, nth(a, a->n)))
		a->n++;
	if (a->n > CONN_DISTANCE)
		prefetch_conn(r);
}

static struct prefetched_packet *take_first(struct prefetch *a)
{
	struct prefetched_packet *p = &a->v[a->first];

	a->first = (a->first + 1) % PREFETCH_RING;
	a->n--;
	return p;
}

/*
 * In the usual case the ring is full: one packet leaves it and another enters, so a->n stays as it
 * is.
 */
void prefetch_advance(struct replay *r)
{
	struct prefetch *a = &r->prefetch;

	if (likely(a->n == PREFETCH_RING - 1 && prefetch_packet(r, nth(a, PREFETCH_RING - 1)))) {
		a->first = (a->first + 1) % PREFETCH_RING;
		prefetch_conn(r);
	} else {
		take_first(a);
		prefetch_more(r);
	}
}

const struct prefetched_packet *prefetch_take(struct replay *r)
{
	struct prefetch *a = &r->prefetch;
	const struct prefetched_packet *found;

	if (!a->n || !capture_take_inline(r->in.cap, &a->v[a->first].pkt, a->generation))
		return NULL;
	found = &a->v[a->first];
	prefetch_advance(r);
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
