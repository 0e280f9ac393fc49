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

struct prefetched_packet {
	/* aligned so that the size of an entry is a power of two */
	_Alignas(128) struct peeked_packet pkt;
	/* result of dissecting the packet; has the transport layer if it is an IP packet */
	struct dissect d;
	bool tcp; /* the packet is an unfragmented TCP segment, and flow is valid */
	struct tcp_flow flow;
};

_Static_assert(sizeof(struct prefetched_packet) == 128, "an entry has two cache lines");

/* Ring buffer of prefetched packets. If all members are 0, nothing is prefetched. */
struct prefetch {
	struct prefetched_packet v[PREFETCH_RING];
	unsigned first, n;
	const unsigned char *at; /* record after the last prefetched packet */
	uint32_t generation;     /* value of capture_generation() when the entries were made */
};

/*
 * Makes the next packet the current one if it is prefetched. Returns its state, or NULL if it is
 * not prefetched: then the caller reads the packet from the capture. This function and
 * prefetch_packets() prefetch further packets. Their results are valid until the next call of
 * either function.
 */
const struct prefetched_packet *prefetch_take(struct replay *r);

/*
 * Returns the prefetched state of r->now.pkt, which was read from the capture, or NULL if the
 * packet was not prefetched.
 */
const struct prefetched_packet *prefetch_packets(struct replay *r);

#endif
