/*
 * clock_outlier.h - one packet with a bad clock does not stop time.
 *
 * Time never goes back in a replay: after a packet of the year 2106 all others would
 * be of that year too.  So a packet that is CLOCK_JUMP_NS or more ahead is held back until
 * the next one is read, which a pipe may take its time for.  If that is as far ahead,
 * or there is none, time has passed; if not, only the one packet's clock was wrong.
 */
#ifndef REPLAY_CLOCK_OUTLIER_H
#define REPLAY_CLOCK_OUTLIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/replay/capture/capture.h"

#define CLOCK_JUMP_NS (3600 * 1000000000ull)

/* All zero: nothing read yet. */
struct clock_outlier {
	struct packet held; /* its data and interface are copies, below */
	/* something below is set: the next packet is not just the next one */
	bool busy;
	bool holding;
	struct packet next; /* read already; in the capture's buffer */
	bool have_next;
	bool ended; /* `end` is what came behind the held packet */
	enum capture_result end;
	struct capture_iface iface;
	char *name;          /* the interface's; owned */
	unsigned char *data; /* `room` bytes at a place of their own; owned */
	size_t room;
	uint64_t outliers; /* packets that were ahead of all others */
};

void clock_outlier_release(struct clock_outlier *l);

/* Puts back a packet that capture_next() has just given: clock_outlier_next() gives it first. */
void clock_outlier_unread(struct clock_outlier *l, const struct packet *p);

static inline bool clock_jumps(const struct packet *p, uint64_t now)
{
	return p->ts_ns > now && p->ts_ns - now >= CLOCK_JUMP_NS;
}

/* clock_outlier_next() where there is something to look at. */
enum capture_result clock_outlier_check(struct clock_outlier *l, struct capture *c, uint64_t now,
					struct packet *out, struct diag *d);

/*
 * The next packet, valid until the next call, as capture_next() gives it.  @now: the
 * time; a packet that was alone ahead of it gets that.
 */
static inline enum capture_result clock_outlier_next(struct clock_outlier *l, struct capture *c,
						     uint64_t now, struct packet *out,
						     struct diag *d)
{
	enum capture_result res;

	if (__builtin_expect(!l->busy, 1)) {
		res = capture_next(c, out, d);
		if (__builtin_expect(res != CAPTURE_PACKET || !clock_jumps(out, now), 1))
			return res;
		clock_outlier_unread(l, out);
	}
	return clock_outlier_check(l, c, now, out, d);
}

/* No more is read: gives the packet held back, if there is one. */
bool clock_outlier_flush(struct clock_outlier *l, struct packet *out);

#endif
