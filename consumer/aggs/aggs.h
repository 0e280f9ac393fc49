/*
 * aggs.h - the consumer's copy of all aggregations of a run. It takes snapshots and implements
 * clear() and trunc().
 *
 * The programs of a run store aggregations in maps. aggs_snap() adds up the values of all CPUs. The
 * result is a table of keys and values that does not change until the next snapshot.
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
 * The state of one aggregation.
 *
 * The keys in @now and @base are canonical: the fields follow each other, an integer as 8 bytes, a
 * string or a stack as a u32 length and its bytes. Equal keys therefore have equal bytes, however
 * the program stored them.
 *
 * A generation is the time between two calls of clear() or trunc(). An update for a generation that
 * has already ended is a late update.
 */
struct agg_state {
	const struct agg_info *ai;
	int64_t normal; /* divisor that normalize() set; 1 at first */
	/* printa() has printed the aggregation, so it is not printed again at the end */
	bool printed;
	bool frozen;        /* aggs_freeze() has frozen the last snapshot */
	struct aggtab now;  /* the last snapshot, which includes the rows of @base */
	struct aggtab base; /* the rows that clear() and trunc() kept, plus late updates */

	/* number of the current generation, which the programs read */
	uint32_t gen;
	/* generations that have ended but may still get late updates */
	VEC(struct agg_retired *) retired;
	/* the generation that ends with the current snapshot, or NULL */
	struct agg_retired *retiring;
	bool quiescent; /* no program can update @retiring any more, so its keys are deleted */

	/* For aggregations without keys whose values can be subtracted: */
	uint64_t *total;   /* sum over all CPUs at the last snapshot */
	uint64_t *cleared; /* the part of @total that belongs to generations that have ended */

	/*
	 * For aggregations without keys whose values cannot be subtracted, such as min() and max():
	 */
	uint64_t *seen; /* the value of each CPU at the last snapshot */
};

/* Functions that are called before and after clear() and trunc(). Either may be NULL. */
struct aggs_observer {
	/*
	 * Called first. The last snapshot of aggregation @agg still has the rows that will be
	 * removed.
	 */
	void (*before_removal)(void *ctx, uint32_t agg);
	/* Called last. agg_state.base has only the rows that stay. */
	void (*after_removal)(void *ctx, uint32_t agg);
	void *ctx;
};

struct aggs {
	const struct program *p;
	struct source *src;
	struct agg_state *st; /* one state for each aggregation in program.agg */
	bool failed;          /* a map could not be read; snapshots are incomplete */
	struct aggs_observer observer;
};

/*
 * Returns an empty copy of all aggregations of @p. @src must have been started. @p and @src must
 * outlive the result, which aggs_free() frees.
 */
struct aggs *aggs_new(const struct program *p, struct source *src);
void aggs_free(struct aggs *a);

/* Takes a new snapshot of aggregation @i into st[i].now, unless the last snapshot is frozen. */
void aggs_snap(struct aggs *a, uint32_t i);

/*
 * Takes a snapshot and freezes it: the snapshot stays the same until the next clear(), trunc() or
 * aggs_thaw(). printa() calls this function if clear() or trunc() follows in the same firing (one
 * run of a probe's clauses). So clear() removes exactly what printa() has printed. Updates after
 * printa() count for the next snapshot.
 */
void aggs_freeze(struct aggs *a, uint32_t i);

/* Ends the freeze of all aggregations.  Nothing is removed. */
void aggs_thaw(struct aggs *a);

/* Implements clear(@a): sets all values to zero and keeps the keys. */
void aggs_clear(struct aggs *a, uint32_t i);

/*
 * Implements trunc(@a, n). If @n is positive, keeps the @n keys with the greatest values. If @n is
 * negative, keeps the -@n keys with the smallest values. If @n is 0, removes all keys.
 */
void aggs_trunc(struct aggs *a, uint32_t i, int64_t n);

/*
 * Implements normalize(@a, n): values are divided by @n when they are printed. 0 is treated as 1.
 */
void aggs_normalize(struct aggs *a, uint32_t i, int64_t n);

/*
 * Adds late updates (see struct agg_state) to the aggregations. Deletes the map entries of a
 * generation when no program can update them any more. Call this function about once a second.
 */
void aggs_sweep(struct aggs *a);

/*
 * Records the mappings of all processes that have addresses in a key (usyms_remember()), because a
 * process may have ended by the time its addresses are printed.
 */
void aggs_remember_processes(struct aggs *a);

/*
 * Reads field @i of the canonical key @key, whose fields @ai describes. @d borrows the bytes of
 * @key.
 */
void agg_key_part(const struct agg_info *ai, const uint8_t *key, uint32_t i, struct datum *d);

/* Compares two canonical keys field by field.  Returns less than 0, 0 or more than 0. */
int agg_key_cmp(const struct agg_info *ai, const uint8_t *l, const uint8_t *r);

#endif
