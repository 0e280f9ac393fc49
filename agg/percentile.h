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

/* The percentiles to show, as the user ordered them. All zero: none. */
struct percentiles {
	uint32_t n;
	uint32_t at[PERCENTILES_MAX]; /* 0 to 100 * PERCENT */
};

struct percentile {
	/* the bounds of its bucket, both included; an open-ended bucket lacks one */
	bool has_min, has_max;
	int64_t min, max;
	int64_t value; /* if the bucket has both bounds: interpolated between them */
};

/*
 * Parses a list such as "50,90,99.9". Returns false if the text is not such a list, or has more
 * than PERCENTILES_MAX items, or more than three decimals.
 */
bool percentiles_parse(const char *text, struct percentiles *out);

/* Writes the name of a percentile without the "p": "50", "99.9". */
void percentile_name(uint32_t at, char *text, size_t size);

/*
 * Finds the bucket of percentile @at of a histogram: the bucket of the value with rank ceil(at * n)
 * among n values in ascending order (the nearest rank). @at is in thousandths of a percent (50 *
 * PERCENT: the median). Within the bucket the values count as evenly spread. Returns false if there
 * are no values, or if a count is negative.
 */
bool hist_percentile(const struct agg_kind *k, const int64_t *count, uint32_t at,
		     struct percentile *out);

#endif
