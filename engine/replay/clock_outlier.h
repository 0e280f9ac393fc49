/*
 * clock_outlier.h - replaces the time of a single packet whose timestamp is far in the future.
 *
 * Time never goes back in a replay, so a packet with the year 2106 would move all later packets to
 * that year. So a packet that is CLOCK_JUMP_NS or more ahead is held back until the next packet has
 * been read. Let `step` be the held packet's time minus the next packet's time:
 *
 *   step >= CLOCK_JUMP_NS  only the held packet's clock was wrong; it gets the current time
 *   otherwise              time really jumped; the held packet keeps its time
 *
 * A packet keeps its time, too, if no packet follows it. For a packet that is older than the one
 * before it, see late_time() in fire.c.
 */
#ifndef ENGINE_REPLAY_CLOCK_OUTLIER_H
#define ENGINE_REPLAY_CLOCK_OUTLIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/replay/capture/inline.h"

/*
 * The smallest step forward in time that counts as a jump. jobs.c, which divides a capture into
 * chunks, uses this limit too: a chunk counts only if it begins less than CLOCK_JUMP_NS after the
 * end of the previous chunk.
 */
#define CLOCK_JUMP_NS (3600 * 1000000000ull)

/* The state of the check. If all members are 0, nothing has been read yet. */
struct clock_outlier {
	/* packet that is held back; its data and interface are copies, see below */
	struct packet held;
	/* have_next, holding or ended is set, so clock_outlier_check() must run */
	bool busy;
	bool holding;
	struct packet next; /* packet that was read ahead; its data is in the capture's buffer */
	bool have_next;
	bool ended; /* no packet followed the held packet; `end` has the result */
	enum capture_result end;
	struct capture_iface iface;
	char *name;          /* name of the interface; owned */
	unsigned char *data; /* `room` bytes at a fixed address; owned */
	size_t room;
	uint64_t outliers; /* number of packets whose time was replaced */
};

void clock_outlier_release(struct clock_outlier *l);

/*
 * Makes the next clock_outlier_next() check @p in place of the capture's next packet. @p must be
 * the packet that capture_next() or capture_take() just read.
 */
void clock_outlier_unread(struct clock_outlier *l, const struct packet *p);

static inline bool clock_jumps(const struct packet *p, uint64_t now)
{
	return p->ts_ns > now && p->ts_ns - now >= CLOCK_JUMP_NS;
}

/* The slow path of clock_outlier_next(). */
enum capture_result clock_outlier_check(struct clock_outlier *l, struct capture *c, uint64_t now,
					struct packet *out, struct diag *d);

/*
 * Reads the next packet, as capture_next() does. The packet is valid until the next call. @now is
 * the current time in ns. A single packet far ahead of @now gets @now as its time.
 */
static inline enum capture_result clock_outlier_next(struct clock_outlier *l, struct capture *c,
						     uint64_t now, struct packet *out,
						     struct diag *d)
{
	enum capture_result res;

	if (__builtin_expect(!l->busy, 1)) {
		res = capture_next_inline(c, out, d);
		if (__builtin_expect(res != CAPTURE_PACKET || !clock_jumps(out, now), 1))
			return res;
		clock_outlier_unread(l, out);
	}
	return clock_outlier_check(l, c, now, out, d);
}

/*
 * If a packet is held back, stores it in @out and returns true. The caller calls this after the
 * last packet.
 */
bool clock_outlier_flush(struct clock_outlier *l, struct packet *out);

#endif
