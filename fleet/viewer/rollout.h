/*
 * rollout.h - divides the hosts of a run into parts that run one after another: a canary, and
 * batches.
 *
 * A part is a range of target_share() with a seed of the run, so it needs no list of hosts, and
 * each host knows its part. Which hosts are the canary is chosen by chance.
 */
#ifndef FLEET_VIEWER_ROLLOUT_H
#define FLEET_VIEWER_ROLLOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct inventory;
struct strbuf;

struct rollout_part {
	uint64_t from, to; /* range of target_share(), both included */
	size_t hosts;      /* number of expected hosts in it */
	bool canary;
};

struct rollout {
	VEC(struct rollout_part) v;
	size_t hosts; /* number of expected hosts that the target selects */
};

/*
 * Plans the parts for the expected hosts that @target selects: first @canary hosts, then @batch at
 * a time; 0: all the others at once. The ranges of all parts together include every host, so also
 * one that registers later. There is always at least one part. The caller calls rollout_release().
 */
void rollout_plan(struct rollout *r, const struct inventory *in, const char *target,
		  const char *seed, size_t canary, size_t batch);
void rollout_release(struct rollout *r);

/* Appends the text "canary, 3 hosts" or "part 2 of 5, 20 hosts" for part @i. */
void rollout_text(const struct rollout *r, size_t i, struct strbuf *out);

/* Returns the number of hosts in the parts after part @i. */
size_t rollout_rest(const struct rollout *r, size_t i);

#endif
