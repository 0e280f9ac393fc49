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

/* Options that change how bars look. */
struct hist_style {
	bool zoom; /* -x aggzoom: scale bars to the longest one, not to the sum */
	bool utf8; /* -x encoding=utf8: draw bars with block elements, by eighths of a character */
	struct percentiles percentiles; /* -x percentiles: shown below each histogram */
};

/*
 * Appends a percentile with the bounds of its bucket: "1535 (1024 to 2047)". A bucket of one value
 * is shown as the value, an open-ended one as "< 0" or ">= 100".
 */
void hist_put_percentile(struct strbuf *out, const struct percentile *p);

/* The common scale of a group of bars. */
struct hist_scale {
	long double total; /* sum of the magnitudes; a number of this size has a full bar */
	long double most;  /* the largest magnitude */
	bool pos, neg;     /* there are positive, negative numbers */
};

/* Adds number @v to the group.  @s is all zero at first. */
void hist_scale_add(struct hist_scale *s, int64_t v);

/*
 * Appends heading and rows of a histogram.  @count: its buckets, summed over all CPUs.  @normal:
 * what normalize() set; counts are divided by it.
 */
void hist_show(struct strbuf *out, const struct agg_kind *k, const int64_t *count, int64_t normal,
	       struct hist_style style);

/* Writes the label of bucket @i to @text: its lower bound, or "< 0" and ">= 100" at open ends. */
void hist_label(const struct agg_kind *k, unsigned i, char *text, size_t size);

/* Appends the heading of bars.  @what names the rows, right-justified in @width columns. */
void hist_heading(struct strbuf *out, const char *what, int width);

/* Appends the bar of @v, the number divided by @normal, and a newline. */
void hist_bar(struct strbuf *out, const struct hist_scale *s, int64_t v, int64_t normal,
	      struct hist_style style);

/*
 * -x aggpack: histograms that take one line each, with one character a bucket.  All lines of a
 * table show the same range of buckets.
 */
struct hist_pack {
	const struct agg_kind *kind; /* of a histogram */
	unsigned first, last;        /* range of buckets */
	bool any;                    /* a bucket in the range is not 0 */
};

/* Extends the range to the buckets of @count that are not 0.  At first only p->kind is set. */
void hist_pack_add(struct hist_pack *p, const int64_t *count);

/* Extends the range by an empty bucket at each end, if there is one. */
void hist_pack_widen(struct hist_pack *p);

/* Appends the heading of a table whose keys take @width columns. */
void hist_pack_heading(struct strbuf *out, const struct hist_pack *p, int width);

/* Appends a histogram, the sum of its buckets divided by @normal, and a newline. */
void hist_pack_show(struct strbuf *out, const struct hist_pack *p, const int64_t *count,
		    int64_t normal, struct hist_style style);

#endif
