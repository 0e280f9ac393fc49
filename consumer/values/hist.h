/*
 * hist.h - draw quantize(), lquantize() and llquantize() results, and bars of numbers.
 */
#ifndef CONSUMER_VALUES_HIST_H
#define CONSUMER_VALUES_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agg_kind;
struct strbuf;

struct hist_style {
	bool zoom; /* bars are scaled to the longest, not to the sum */
	bool utf8; /* and drawn by eighths of a character */
};

/* What the bars that are looked at together have in common. */
struct hist_scale {
	long double total; /* of the magnitudes: a bar of full length */
	long double most;  /* the largest of them */
	bool pos, neg;
};

/* All zero at first; then each of the numbers is added. */
void hist_scale_add(struct hist_scale *s, int64_t v);

/* Appends the rows of the merged buckets @count, counts divided by @normal. */
void hist_show(struct strbuf *out, const struct agg_kind *k, const int64_t *count, int64_t normal,
	       struct hist_style style);

/* What bucket @i is called: its lower bound, or what the end rows hold. */
void hist_label(const struct agg_kind *k, unsigned i, char *text, size_t size);

/* What is above the bars, @what of them in @width columns. */
void hist_heading(struct strbuf *out, const char *what, int width);

/* The bar of @v and, divided by @normal, the number: the rest of a line. */
void hist_bar(struct strbuf *out, const struct hist_scale *s, int64_t v, int64_t normal,
	      struct hist_style style);

/* Buckets that are drawn in one line each, a character a bucket: from the first to the last. */
struct hist_pack {
	const struct agg_kind *kind; /* of quantize() or lquantize() */
	unsigned first, last;
	bool any; /* one of them holds something */
};

/* All zero but @kind at first; then each of the aggregation's values is added. */
void hist_pack_add(struct hist_pack *p, const int64_t *count);

/* One empty bucket more at each end, where there is one. */
void hist_pack_widen(struct hist_pack *p);

/* What is above them, behind @width columns of keys. */
void hist_pack_heading(struct strbuf *out, const struct hist_pack *p, int width);

/* The rest of a line: the buckets and their sum. */
void hist_pack_show(struct strbuf *out, const struct hist_pack *p, const int64_t *count,
		    int64_t normal, struct hist_style style);

#endif
