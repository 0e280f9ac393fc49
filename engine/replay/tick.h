/*
 * tick.h - the timers of tick-N and profile-N, which run by packet time.
 *
 * The timers count from the first packet of a file, or from the start on an interface. During one
 * gap between packets, a timer fires at most TICK_CATCH_UP times; its other firings are skipped and
 * counted.
 */
#ifndef ENGINE_REPLAY_TICK_H
#define ENGINE_REPLAY_TICK_H

#include <stdbool.h>
#include <stdint.h>

#define TICK_CATCH_UP 1000

struct tick {
	uint32_t unit;
	uint32_t left; /* number of firings that are still allowed in this gap */
	uint64_t period;
	uint64_t due; /* time of the next firing; UINT64_MAX if the timer never fires again */
};

#define TICK_END UINT32_MAX /* value of tick.unit for the timer that ends the replay */

/* tick_init() makes an empty queue: due is UINT64_MAX and all other members are 0. */
struct tick_queue {
	uint64_t due;   /* time of the earliest firing; UINT64_MAX if there is none */
	struct tick *v; /* array of n timers, owned */
	uint32_t n;
	uint64_t skipped;
};

void tick_init(struct tick_queue *q);
void tick_release(struct tick_queue *q);

/* Adds a timer of unit @unit that fires first at @start + @period. Times are in ns. */
void tick_add(struct tick_queue *q, uint32_t unit, uint64_t period, uint64_t start);

/*
 * Begins a gap between packets, in which each timer may again catch up TICK_CATCH_UP firings. Call
 * this function when a packet has arrived, or when an interface has had no packet until now.
 */
void tick_gap(struct tick_queue *q);

/*
 * Takes the earliest firing that is due at @now. If several timers fire at the same time, takes the
 * timer that was added first. Stores its unit and time in *@unit and *@due. Returns false if no
 * firing is due.
 */
bool tick_next(struct tick_queue *q, uint64_t now, uint32_t *unit, uint64_t *due);

/* Drops the firings that are due up to @now, because another process has fired them. */
void tick_skip(struct tick_queue *q, uint64_t now);

#endif
