/*
 * heat.h - heat maps. A heat map shows how often each bucket of a histogram was hit over time. Its
 * rows are buckets and its columns are periods of time.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_HEAT_H
#define CONSUMER_OFORMAT_PICTURES_HEAT_H

#include <stdbool.h>
#include <stddef.h>

#include "consumer/oformat/pictures/tracks.h"

/*
 * The counts of one track (tracks.h), which is the history of one key of a histogram. Neighbouring
 * columns of the track are added up so that at most a given number of columns remains.
 */
struct heat {
	const struct agg_info *ai;
	unsigned first, last; /* lowest and highest bucket that counted anything */
	/* number of columns, and number of the track's columns that are added up in each */
	size_t columns, per;
	/* the counts; row r and column c are at n[(r - first) * columns + c] */
	double *n;
	/*
	 * Count that gets the darkest colour. This is the maximum of this track, unless the caller
	 * sets another one.
	 */
	double max;
};

/* maximum number of tracks shown for an aggregation; the largest ones are shown */
enum { HEAT_MAX_TRACKS = 8 };

/*
 * heat_make() builds the heat map of track @tr with at most @columns_max columns. The caller frees
 * it with heat_release(). heat_at() returns the count in a row and column.
 */
void heat_make(struct heat *h, const struct tracks *t, const struct track *tr, size_t columns_max);
void heat_release(struct heat *h);
double heat_at(const struct heat *h, unsigned row, size_t col);

/*
 * Returns the largest count in any heat map that is shown. All maps of a picture use it as their
 * maximum, so that they have the same scale.
 */
double heat_max_of_all(const struct tracks *t, size_t columns_max);

/*
 * heat_level() maps a count @n to a level, which stands for a colour: 0 if @n is 0, and otherwise 1
 * to @levels. The scale is logarithmic: each level begins at a fixed multiple of the start of the
 * previous level. heat_level_min() returns the smallest count of a level.
 */
unsigned heat_level(const struct heat *h, unsigned levels, double n);
double heat_level_min(const struct heat *h, unsigned levels, unsigned level);

/* Returns whether aggregation @agg is a histogram; only histograms have heat maps. */
bool heat_wants(const struct program *p, uint32_t agg);

#endif
