/*
 * hist.h - draws histograms (quantize() and similar functions) and bars of numbers in characters.
 */
#ifndef CONSUMER_VALUES_HIST_H
#define CONSUMER_VALUES_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agg/percentile.h"

struct agg_kind;
struct strbuf;

/* Options for the look of histograms and bars. */
struct hist_style {
	/*
	 * -x aggzoom: the longest bar has almost full length. Without it, a bar of full length
	 * would stand for the sum of all counts.
	 */
	bool zoom;
	/* -x encoding=utf8: bars consist of block characters, with a resolution of 1/8 character */
	bool utf8;
	/* -x percentiles: the percentiles shown below each histogram */
	struct percentiles percentiles;
};

/*
 * Appends a percentile and the bounds of its bucket, such as "1535 (1024 to 2047)". If the bucket
 * has only one value, appends that value. If the bucket is open-ended, appends "< 0" or ">= 100".
 */
void hist_put_percentile(struct strbuf *out, const struct percentile *p);

/* The common scale of a group of bars. */
struct hist_scale {
	/* Sum of the magnitudes. A count of this size would be drawn as a bar of full length. */
	long double total;
	long double most; /* the largest magnitude */
	bool pos, neg;    /* there are positive numbers (pos) or negative numbers (neg) */
};

/* Adds the number @v to a group of bars. All members of @s are zero at first. */
void hist_scale_add(struct hist_scale *s, int64_t v);

/*
 * Appends the heading and the rows of a histogram. @count has the buckets, summed over all CPUs.
 * Counts are divided by @normal, the divisor that normalize() set.
 */
void hist_show(struct strbuf *out, const struct agg_kind *k, const int64_t *count, int64_t normal,
	       struct hist_style style);

/*
 * Writes the label of bucket @i to @text. The label is the lower bound of the bucket, or the upper
 * bound in a bucket of negative values of quantize(). If the bucket is open-ended, the label is a
 * text such as "< 0" or ">= 100".
 */
void hist_label(const struct agg_kind *k, unsigned i, char *text, size_t size);

/*
 * Appends the heading of bars. The name of the rows, @what, is right-justified in @width columns.
 */
void hist_heading(struct strbuf *out, const char *what, int width);

/* Appends three things: a bar for @v, the quotient of @v and @normal, and a newline. */
void hist_bar(struct strbuf *out, const struct hist_scale *s, int64_t v, int64_t normal,
	      struct hist_style style);

/*
 * A table of -x aggpack, in which each histogram has one line and each bucket has one character.
 * All lines of a table show the same range of buckets.
 */
struct hist_pack {
	const struct agg_kind *kind; /* kind of the aggregation, which must be a histogram */
	unsigned first, last;        /* first and last bucket of the range */
	bool any;                    /* at least one bucket in the range is not 0 */
};

/*
 * Extends the range so that it includes the buckets of @count that are not 0. Before the first
 * call, only p->kind is set.
 */
void hist_pack_add(struct hist_pack *p, const int64_t *count);

/* Extends the range by a bucket at each end, unless the range ends at the first or last bucket. */
void hist_pack_widen(struct hist_pack *p);

/* Appends the heading of a table whose keys take @width columns. */
void hist_pack_heading(struct strbuf *out, const struct hist_pack *p, int width);

/*
 * Appends a histogram in one line, the sum of its buckets divided by @normal, the percentiles of
 * @style, and a newline.
 */
void hist_pack_show(struct strbuf *out, const struct hist_pack *p, const int64_t *count,
		    int64_t normal, struct hist_style style);

#endif
