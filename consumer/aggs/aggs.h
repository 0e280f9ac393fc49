/*
 * aggs.h - the consumer's copy of the aggregations: snapshots, and what was
 * cleared and truncated.
 */
#ifndef CONSUMER_AGGS_AGGS_H
#define CONSUMER_AGGS_AGGS_H

#include <stdbool.h>
#include <stdint.h>

#include "agg/table.h"

struct agg_info;
struct datum;
struct program;
struct source;
struct agg_retired;

/*
 * One aggregation.  The keys of base and now are canonical: the fields one
 * behind the other, integers in 8 bytes, strings and stacks as a u32 length and
 * their text or addresses, so that equal keys have equal bytes however the program kept them.
 */
struct agg_state {
	const struct agg_info *ai;
	int64_t normal;     /* what normalize() set, 1 at first */
	bool printed;       /* by printa: not again at the end */
	bool frozen;        /* @now is what printa shows and clear or trunc then takes */
	struct aggtab now;  /* the last snapshot, base included */
	struct aggtab base; /* what clear and trunc left, and late updates to what they took */

	uint32_t gen;
	VEC(struct agg_retired *) retired; /* generations that may still be updated */
	struct agg_retired *retiring;      /* during the snapshot that ends a generation */
	uint64_t *total;                   /* un-keyed, additive: the last total over CPUs ... */
	uint64_t *cleared;                 /* ... and how much of it was cleared */
	uint64_t *seen; /* un-keyed min and max: each CPU's value, as last looked at */
};

/*
 * Who wants to know when clear() or trunc() takes what the last snapshot has, and what it leaves:
 * in base.
 */
struct aggs_observer {
	void (*before_removal)(void *ctx, uint32_t agg); /* NULL: nobody */
	void (*after_removal)(void *ctx, uint32_t agg);
	void *ctx;
};

struct aggs {
	const struct program *p;
	struct source *src;
	struct agg_state *st; /* program.nagg of them */
	bool failed;          /* a map could not be read */
	struct aggs_observer observer;
};

/* @src must have been started; both outlive the result. */
struct aggs *aggs_new(const struct program *p, struct source *src);
void aggs_free(struct aggs *a);

/* Brings st[i].now up to date, unless it is held. */
void aggs_snap(struct aggs *a, uint32_t i);

/*
 * Takes a snapshot that stays: printa shows it, and the clear or trunc that follows
 * takes what it shows and no more, so that nothing is lost in between.  aggs_thaw():
 * no clear or trunc came, for any that is held.
 */
void aggs_freeze(struct aggs *a, uint32_t i);
void aggs_thaw(struct aggs *a);

/* clear(@a), trunc(@a, n) (0: everything goes; negative: the smallest stay), normalize(@a, n) */
void aggs_clear(struct aggs *a, uint32_t i);
void aggs_trunc(struct aggs *a, uint32_t i, int64_t n);
void aggs_normalize(struct aggs *a, uint32_t i, int64_t n);

/* Takes in late updates and deletes what is left of old generations; call now and then. */
void aggs_sweep(struct aggs *a);

/*
 * Notes what the processes have mapped whose addresses are in keys: they may be gone when those are
 * shown.
 */
void aggs_remember_processes(struct aggs *a);

/* Reads key field @i of @key, the canonical key of an aggregation of @ai's kind. */
void agg_key_part(const struct agg_info *ai, const uint8_t *key, uint32_t i, struct datum *d);

/* Orders two keys, field by field. */
int agg_key_cmp(const struct agg_info *ai, const uint8_t *l, const uint8_t *r);

#endif
