/*
 * tick.h - when tick-N and profile-N are due, by packet time.
 *
 * Counted from the first packet.  Over one gap between packets a timer catches
 * up at most TICK_CATCH_UP times; the rest is skipped and counted.
 */
#ifndef REPLAY_TICK_H
#define REPLAY_TICK_H

#include <stdbool.h>
#include <stdint.h>

#define TICK_CATCH_UP 1000

struct tick {
	uint32_t unit;
	uint32_t left; /* catch-up firings left in this gap */
	uint64_t period;
	uint64_t due; /* UINT64_MAX: never again */
};

#define TICK_END UINT32_MAX /* in place of a unit: nothing more is replayed */

/* All zero but for due == UINT64_MAX: no timers; tick_init() makes one. */
struct tick_queue {
	uint64_t due;   /* of the earliest; UINT64_MAX: none */
	struct tick *v; /* owned */
	uint32_t n;
	uint64_t skipped;
};

void tick_init(struct tick_queue *q);
void tick_release(struct tick_queue *q);

/* A timer of unit @unit that starts at @start. */
void tick_add(struct tick_queue *q, uint32_t unit, uint64_t period, uint64_t start);

/* A packet has come: a gap ends, a new one begins. */
void tick_gap(struct tick_queue *q);

/*
 * Takes the earliest firing that is due at @now (at the same time: in the order
 * of tick_add()).  False: none left.
 */
bool tick_next(struct tick_queue *q, uint64_t now, uint32_t *unit, uint64_t *due);

/* Whatever is due up to @now was fired elsewhere. */
void tick_skip(struct tick_queue *q, uint64_t now);

#endif
