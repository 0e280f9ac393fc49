/*
 * tick.h - the timers of tick-N and profile-N, by packet time.
 *
 * The timers count from the first packet of a file, or from the start on an interface. Over one gap
 * between packets, a timer catches up at most TICK_CATCH_UP firings; the others are skipped and
 * counted.
 */
#ifndef ENGINE_REPLAY_TICK_H
#define ENGINE_REPLAY_TICK_H

#include <stdbool.h>
#include <stdint.h>

#define TICK_CATCH_UP 1000

struct tick {
	uint32_t unit;
	uint32_t left; /* catch-up firings left in this gap */
	uint64_t period;
	uint64_t due; /* UINT64_MAX: never */
};

#define TICK_END UINT32_MAX /* instead of a unit: the replay ends */

/* tick_init() makes an empty queue: due is UINT64_MAX and all other members are 0. */
struct tick_queue {
	uint64_t due;   /* of the earliest timer; UINT64_MAX: none */
	struct tick *v; /* owned */
	uint32_t n;
	uint64_t skipped;
};

void tick_init(struct tick_queue *q);
void tick_release(struct tick_queue *q);

/* Adds a timer of unit @unit that fires first at @start + @period. Times are in ns. */
void tick_add(struct tick_queue *q, uint32_t unit, uint64_t period, uint64_t start);

/* Begins a gap: a packet has arrived, or an interface has been silent until now. */
void tick_gap(struct tick_queue *q);

/*
 * Takes the earliest firing that is due at @now; of simultaneous ones, the timer that was added
 * first. Returns false if no firing is due.
 */
bool tick_next(struct tick_queue *q, uint64_t now, uint32_t *unit, uint64_t *due);

/* Drops the firings that are due up to @now, because another process has fired them. */
void tick_skip(struct tick_queue *q, uint64_t now);

#endif
