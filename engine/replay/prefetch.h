/*
 * prefetch.h - prefetches state for packets ahead of the current one.
 *
 * Looking up a connection costs two cache misses: the table, then the connection. So headers of the
 * next few packets in the capture's buffer are dissected, and both cache lines are prefetched,
 * while earlier packets are processed. The results are kept for the packet's turn.
 */
#ifndef ENGINE_REPLAY_PREFETCH_H
#define ENGINE_REPLAY_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/replay/capture/capture.h"
#include "engine/replay/dissect.h"
#include "engine/replay/tcp/track.h"

struct replay;

enum { PREFETCH_RING = 16 }; /* packets; a power of two */

struct prefetched_packet {
	/* aligned so that the size of an entry is a power of two */
	_Alignas(128) struct peeked_packet pkt;
	struct dissect d; /* includes the transport layer of an IP packet */
	bool tcp;         /* a whole TCP segment: flow is valid */
	struct tcp_flow flow;
};

_Static_assert(sizeof(struct prefetched_packet) == 128, "an entry has two cache lines");

/* All members 0: nothing is prefetched. */
struct prefetch {
	struct prefetched_packet v[PREFETCH_RING]; /* ring buffer */
	unsigned first, n;
	const unsigned char *at; /* record after the last prefetched packet */
	uint32_t generation;     /* capture_generation() of the entries */
};

/*
 * Reads the next packet if it is prefetched. Returns its state, or NULL: then the caller reads the
 * packet from the capture. Both functions prefetch further packets. Their results are valid until
 * the next call of either.
 */
const struct prefetched_packet *prefetch_take(struct replay *r);

/* Returns the prefetched state of r->now.pkt, which was read from the capture, or NULL. */
const struct prefetched_packet *prefetch_packets(struct replay *r);

#endif
