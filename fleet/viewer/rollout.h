/*
 * rollout.h - divides the hosts of a run into parts that run one after another: first a few hosts
 * (the canary), and then groups of hosts (batches).
 *
 * target_share() gives each host a number, which differs from run to run. A part has the hosts
 * whose numbers lie in a range. So a request needs no list of hosts: each host knows by its number
 * whether it belongs to the part. The numbers are hashes, so chance decides which hosts are the
 * canary.
 */
#ifndef FLEET_VIEWER_ROLLOUT_H
#define FLEET_VIEWER_ROLLOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct census;
struct strbuf;

struct rollout_part {
	uint64_t from, to; /* range of target_share(), both ends included */
	size_t hosts;      /* number of expected hosts in the part */
	bool canary;       /* the part is the canary */
};

struct rollout {
	VEC(struct rollout_part) v;
	size_t hosts; /* number of hosts in all parts */
};

/*
 * Plans the parts for the hosts of the census, whose seed is the ID of the run: first @canary
 * hosts, and then @batch hosts at a time. If @canary is 0, there is no canary. If @batch is 0, all
 * other hosts are one part. Hosts of several sites with the same name have the same share, so they
 * are in the same part. This part may then have more or fewer hosts than @canary or @batch. Each
 * possible number is in the range of one part, so a host that registers later has a part, too.
 * There is always at least one part. The caller calls rollout_release().
 */
void rollout_plan(struct rollout *r, const struct census *c, size_t canary, size_t batch);
void rollout_release(struct rollout *r);

/* Appends the text "canary, 3 hosts" or "part 2 of 5, 20 hosts" for part @i. */
void rollout_text(const struct rollout *r, size_t i, struct strbuf *out);

/* Returns the number of hosts in the parts after part @i. */
size_t rollout_rest(const struct rollout *r, size_t i);

#endif
