/*
 * heat.h - heat maps: how often each bucket of a histogram was hit over time. Rows are buckets,
 * columns are time.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_HEAT_H
#define CONSUMER_OFORMAT_PICTURES_HEAT_H

#include <stdbool.h>
#include <stddef.h>

#include "consumer/oformat/pictures/tracks.h"

/*
 * The counts of one track. Neighbouring columns of the track are added up, so that @columns are
 * left.
 */
struct heat {
	const struct agg_info *ai;
	unsigned first, last; /* lowest and highest bucket that counted anything */
	size_t columns, per;  /* @per: columns of the track in each column here */
	double *n;            /* count of row r, column c: n[(r - first) * columns + c] */
	/* count of the darkest colour: the maximum of this track, unless the caller sets another */
	double max;
};

enum { HEAT_MAX_TRACKS = 8 }; /* tracks shown of an aggregation: the largest ones */

/*
 * Builds the heat map of track @tr in at most @columns_max columns. The caller releases @h.
 * heat_at() returns the count of a row and column.
 */
void heat_make(struct heat *h, const struct tracks *t, const struct track *tr, size_t columns_max);
void heat_release(struct heat *h);
double heat_at(const struct heat *h, unsigned row, size_t col);

/*
 * Returns the largest count in any heat map that is shown, so that all maps of a picture share one
 * scale.
 */
double heat_max_of_all(const struct tracks *t, size_t columns_max);

/*
 * heat_level() maps a count @n to a colour: 0 for nothing, else 1 to @levels. Levels are
 * logarithmic: the start of each is a fixed multiple of the start of the one before.
 * heat_level_min() returns the smallest count of a level.
 */
unsigned heat_level(const struct heat *h, unsigned levels, double n);
double heat_level_min(const struct heat *h, unsigned levels, unsigned level);

/* Returns whether aggregation @agg is a histogram; only histograms have heat maps. */
bool heat_wants(const struct program *p, uint32_t agg);

#endif
