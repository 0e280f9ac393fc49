/*
 * prefetch.h - packets are looked at before their turn.
 *
 * A connection is found in a table and lies anywhere in memory: who asks for both when the packet
 * is there waits twice for what is far.  So a few packets ahead, as far as the capture has been
 * read, the headers are looked at and what the packet will need is fetched, while others have their
 * turn.  What was found out is not found out again.
 */
#ifndef REPLAY_PREFETCH_H
#define REPLAY_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/replay/dissect.h"
#include "engine/replay/tcp/track.h"

struct replay;

enum { PREFETCH_RING = 16 }; /* packets; a power of two */

struct prefetched_packet {
	_Alignas(128) const unsigned char *data; /* a size that is easy to multiply by */
	struct dissect d;                        /* with the transport's part, if it is IP */
	bool tcp;                                /* a whole segment: whose it is */
	struct tcp_flow flow;
};

/* All zero: nothing looked at. */
struct prefetch {
	struct prefetched_packet v[PREFETCH_RING]; /* a ring */
	unsigned first, n;
	const unsigned char *at; /* the record behind the last */
	uint32_t generation;     /* capture_generation() when they were looked at */
};

/* What is known of r->pkt, until the next call, or NULL; more packets behind it are looked at. */
const struct prefetched_packet *prefetch_packets(struct replay *r);

#endif
