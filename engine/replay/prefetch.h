/*
 * prefetch.h - prefetches state for packets ahead of the current one.
 *
 * Looking up a connection costs two cache misses: the table, then the connection. So replay
 * dissects the headers of the next few packets in the capture's buffer, and prefetches both cache
 * lines, while it still processes earlier packets. It keeps the results until the packet becomes
 * the current one.
 */
#ifndef ENGINE_REPLAY_PREFETCH_H
#define ENGINE_REPLAY_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/replay/capture/capture.h"
#include "engine/replay/dissect.h"
#include "engine/replay/tcp/track.h"

struct replay;

enum { PREFETCH_RING = 16 }; /* number of packets in the ring buffer; a power of two */

/* The steps that a packet needs, as far as its headers show. */
enum prefetched_need {
	NEEDS_ALL, /* all steps of a packet */
	/* no step: no program of the run sees such a packet, and it is no TCP segment */
	NEEDS_NOTHING,
	/*
	 * if the connection allows the fast path: only the steps of IS_TCP_FAST. seg is set, and
	 * has ACK and none of SYN, FIN, RST and URG.
	 */
	NEEDS_FAST,
};

struct prefetched_packet {
	/* aligned so that the size of an entry is a power of two */
	_Alignas(256) struct peeked_packet pkt;
	/*
	 * Result of dissecting the packet, including the transport layer of an IP packet. Not set
	 * if needs is NEEDS_FAST: see prefetched_headers().
	 */
	struct dissect d;
	uint8_t needs; /* enum prefetched_need */
	bool tcp;      /* the packet is an unfragmented TCP segment, and flow is valid */
	struct tcp_flow flow;
	/* if needs is NEEDS_FAST: the segment; only members that the tracker uses for it are set */
	struct tcp_seg seg;
};

_Static_assert(sizeof(struct prefetched_packet) == 256, "an entry must fill four cache lines");

/* Stores in @d the result of dissecting the packet. */
static inline void prefetched_headers(const struct prefetched_packet *p, struct dissect *d)
{
	*d = p->d;
	if (p->needs == NEEDS_FAST) {
		*d = dissect_shapes[tcp_key_version(&p->flow.key) == 6];
		d->proto = 6;
	}
}

/* Ring buffer of prefetched packets. If all members are 0, nothing is prefetched. */
struct prefetch {
	struct prefetched_packet v[PREFETCH_RING];
	unsigned first, n;
	const unsigned char *at; /* record after the last prefetched packet */
	uint32_t generation;     /* value of capture_generation() when the entries were made */
};

/* Returns the entry of the next packet, which is prefetched if a->n is not 0. Does not read it. */
static inline struct prefetched_packet *prefetch_next(struct prefetch *a)
{
	struct prefetched_packet *p = &a->v[a->first];

	__asm__("" : "+r"(p)); /* keeps the address in a register */
	return p;
}

/* Drops the next packet, which capture_take() has just read, and prefetches further packets. */
void prefetch_advance(struct replay *r);

/*
 * Makes the next packet the current one if it is prefetched, and returns its state. Otherwise
 * returns NULL, and the caller reads the packet from the capture.
 *
 * prefetch_take() and prefetch_packets() also prefetch further packets. A result is valid until the
 * next call of one of these two functions or of prefetch_advance().
 */
const struct prefetched_packet *prefetch_take(struct replay *r);

/*
 * Returns the prefetched state of r->now.pkt, which was read from the capture, or NULL if the
 * packet was not prefetched.
 */
const struct prefetched_packet *prefetch_packets(struct replay *r);

#endif
