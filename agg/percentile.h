/*
 * percentile.h - percentiles of histograms: -x percentiles=50,90,99.
 *
 * A histogram stores only the bucket of each value. So the bucket of a percentile is exact, and the
 * percentile itself is known to within the bounds of the bucket.
 */
#ifndef AGG_PERCENTILE_H
#define AGG_PERCENTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agg_kind;

#define PERCENTILES_MAX 16
#define PERCENT 1000 /* a percentile is stored in thousandths of a percent */

/*
 * The percentiles to show, in the user's order. All members are zero if the user wants no
 * percentiles.
 */
struct percentiles {
	uint32_t n;
	/* each percentile in units of 1 / PERCENT percent: 0 to 100 * PERCENT */
	uint32_t at[PERCENTILES_MAX];
};

struct percentile {
	/*
	 * Which bounds the percentile's bucket has. The first or last bucket may be open-ended: it
	 * lacks a lower or upper bound.
	 */
	bool has_min, has_max;
	int64_t min, max;
	int64_t value; /* estimate between the bounds, set only if the bucket has both */
};

/*
 * Parses a list such as "50,90,99.9". Returns false if the text is not such a list, or has more
 * than PERCENTILES_MAX items, or more than three decimals.
 */
bool percentiles_parse(const char *text, struct percentiles *out);

/*
 * Writes the percentile @at, which is in thousandths of a percent, as a text such as "50" or
 * "99.9".
 */
void percentile_name(uint32_t at, char *text, size_t size);

/*
 * Finds the bucket that contains percentile @at of a histogram. @at is in thousandths of a percent;
 * 50 * PERCENT is the median. If the n values are sorted in ascending order, the percentile is
 * value number ceil(n * @at / (100 * PERCENT)), counted from 1 (the nearest rank). Percentile 0 is
 * value number 1. The estimate in @out assumes that the values of a bucket are spread evenly.
 * Returns false if there are no values, or if a count is negative.
 */
bool hist_percentile(const struct agg_kind *k, const int64_t *count, uint32_t at,
		     struct percentile *out);

#endif
