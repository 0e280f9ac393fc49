/*
 * heat.h - how often what was seen when: rows are buckets, columns are time.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_HEAT_H
#define CONSUMER_OFORMAT_PICTURES_HEAT_H

#include <stdbool.h>
#include <stddef.h>

#include "consumer/oformat/pictures/tracks.h"

/* A track as a field of counts, columns joined until there are few enough. */
struct heat {
	const struct agg_info *ai;
	unsigned first, last; /* rows */
	size_t columns, per;  /* per: columns of the track in one */
	double *n;            /* of row r and column c: n[(r - first) * columns + c] */
	/* that the darkest level stands for: of this field, until the caller sets another */
	double most;
};

enum { HEAT_TRACKS = 8 }; /* that are shown of an aggregation, those with most in them */

/*
 * Of track @tr of @t, in at most @columns_max columns; to be released.  heat_at(): how much is
 * there.
 */
void heat_make(struct heat *h, const struct tracks *t, const struct track *tr, size_t columns_max);
void heat_release(struct heat *h);
double heat_at(const struct heat *h, unsigned row, size_t col);

/* The most in a field of any that is shown: maps of one picture have one scale. */
double heat_most(const struct tracks *t, size_t columns_max);

/*
 * How dark of @levels what was counted @n times is: 0 for nothing, 1 ... @levels.  Each level holds
 * so many times as much as the one below it.  heat_least(): what a level begins at.
 */
unsigned heat_level(const struct heat *h, unsigned levels, double n);
double heat_least(const struct heat *h, unsigned levels, unsigned level);

/* Is the aggregation one that has rows? */
bool heat_wants(const struct program *p, uint32_t agg);

#endif
