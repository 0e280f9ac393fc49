/*
 * aggs.h - the consumer's copy of all aggregations of a run: snapshots, clear() and trunc().
 *
 * Programs keep aggregations in maps.  aggs_snap() adds up the values of all CPUs and gives a table
 * of keys and values that does not change until the next snapshot.
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
 * Keys in @now and @base are canonical: the fields follow each other, an integer in 8 bytes, a
 * string or a stack as a u32 length and its bytes.  Equal keys therefore have equal bytes, however
 * the program stored them.
 */
struct agg_state {
	const struct agg_info *ai;
	int64_t normal;     /* divisor that normalize() set; 1 at first */
	bool printed;       /* printa() has printed it, so it is not printed again at the end */
	bool frozen;        /* see aggs_freeze() */
	struct aggtab now;  /* the last snapshot; includes @base */
	struct aggtab base; /* rows that clear() and trunc() kept, plus late updates */

	uint32_t gen;                      /* current generation, as the programs see it */
	VEC(struct agg_retired *) retired; /* earlier generations that may still be updated */
	struct agg_retired *retiring;      /* set during the snapshot that ends a generation */

	/* Without keys, if values can be subtracted: */
	uint64_t *total;   /* sum over all CPUs at the last snapshot */
	uint64_t *cleared; /* the part of @total that clear() removed */

	/* Without keys, if values cannot be subtracted, as those of min() and max(): */
	uint64_t *seen; /* the value of each CPU at the last snapshot */
};

/* Functions that are called before and after clear() and trunc(). Either may be NULL. */
struct aggs_observer {
	/* Called first. The last snapshot of aggregation @agg still has the rows to be removed. */
	void (*before_removal)(void *ctx, uint32_t agg);
	/* Called last. agg_state.base has only the rows that stay. */
	void (*after_removal)(void *ctx, uint32_t agg);
	void *ctx;
};

struct aggs {
	const struct program *p;
	struct source *src;
	struct agg_state *st; /* one for each aggregation in program.agg */
	bool failed;          /* a map could not be read; snapshots are incomplete */
	struct aggs_observer observer;
};

/* Returns empty copies.  @src must have been started.  @p and @src must outlive the result. */
struct aggs *aggs_new(const struct program *p, struct source *src);
void aggs_free(struct aggs *a);

/* Takes a new snapshot of aggregation @i into st[i].now, unless the last one is frozen. */
void aggs_snap(struct aggs *a, uint32_t i);

/*
 * Takes a snapshot and freezes it: it stays the same until the next clear(), trunc() or
 * aggs_thaw().
 *
 * A firing that calls printa() and then clear() or trunc() needs this, so that clear() removes
 * exactly what printa() printed.  The next snapshot counts updates that come after printa().
 */
void aggs_freeze(struct aggs *a, uint32_t i);

/* Ends the freeze of all aggregations.  Nothing is removed. */
void aggs_thaw(struct aggs *a);

/* clear(@a): sets all values to zero and keeps the keys. */
void aggs_clear(struct aggs *a, uint32_t i);

/*
 * trunc(@a, n): keeps the @n keys with the greatest values, or if @n is negative the -@n keys with
 * the smallest.  @n = 0 removes all keys.
 */
void aggs_trunc(struct aggs *a, uint32_t i, int64_t n);

/* normalize(@a, n): divides values by @n when they are printed.  0 counts as 1. */
void aggs_normalize(struct aggs *a, uint32_t i, int64_t n);

/*
 * Counts late updates to generations that have ended, and deletes their map entries when no program
 * can update them any more.  To be called about once a second.
 */
void aggs_sweep(struct aggs *a);

/*
 * Notes the mappings of all processes that have addresses in a key (usyms_remember()), because a
 * process may have ended when its addresses are printed.
 */
void aggs_remember_processes(struct aggs *a);

/*
 * Reads field @i of @key, a canonical key whose fields @ai describes.  @d borrows the bytes of
 * @key.
 */
void agg_key_part(const struct agg_info *ai, const uint8_t *key, uint32_t i, struct datum *d);

/* Compares two canonical keys field by field.  Returns less than 0, 0 or more than 0. */
int agg_key_cmp(const struct agg_info *ai, const uint8_t *l, const uint8_t *r);

#endif
