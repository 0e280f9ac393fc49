/*
 * hist.h - the buckets of histograms: how they are numbered, and what they count.
 *
 * The code that updates a histogram (ir/agg_update.c) uses the same numbers.  A histogram's value
 * is an array of counts, one of 8 bytes for each bucket.
 */
#ifndef AGG_HIST_H
#define AGG_HIST_H

#include <stdbool.h>
#include <stdint.h>

struct agg_kind;

/* A row for each way to number buckets. */
struct agg_hist {
	/* The value that bucket @i counts as when keys are ordered. */
	int64_t (*value)(const struct agg_kind *k, unsigned i);

	/* The least and the greatest value that bucket @i counts, where it has such a bound. */
	int64_t (*min)(const struct agg_kind *k, unsigned i);
	int64_t (*max)(const struct agg_kind *k, unsigned i);

	bool open_ends;     /* the first and the last bucket count all values beyond the others */
	uint8_t zero;       /* index of the bucket that an empty histogram is drawn around */
	uint8_t empty_rows; /* rows of an empty histogram */
	/* least width of a label with -x aggpack; 0: aggpack does not change it */
	uint8_t pack_label;
};

extern const struct agg_hist hist_quantize, hist_lquantize, hist_llquantize;

/* ---- numbering ---- */

/*
 * quantize(): bucket 63 counts 0; bucket 64 + k counts [2^k, 2^(k+1)), k = 0 to 62; bucket 62 - k
 * counts (-2^(k+1), -2^k].  quantize_value() is the lower bound of bucket @i; below zero the bound
 * that is next to zero.
 */
#define QUANTIZE_BUCKETS 127
#define QUANTIZE_ZERO 63
int64_t quantize_value(unsigned i);

/*
 * lquantize(): bucket 0 counts what is below base, bucket i from base + (i - 1) * step, the last
 * what is not below limit.  lquantize_levels() is the number of buckets between these two.
 */
unsigned lquantize_levels(const int64_t *param);

/*
 * llquantize(): bucket 0 counts what is below factor^low; then come the steps of each decade from
 * factor^low to factor^(high + 1); the last counts what is above.
 */
unsigned llquantize_buckets(const int64_t *param);

/* The lower bound of bucket @i, which is not 0. */
int64_t llquantize_value(const int64_t *param, unsigned i);

/* The bucket that counts @value. */
unsigned llquantize_bucket(const int64_t *param, int64_t value);

/* ---- any histogram ---- */

/* How many buckets it has. */
unsigned hist_buckets(const struct agg_kind *k);

/* The value that bucket @i counts as when keys are ordered. */
int64_t hist_value(const struct agg_kind *k, unsigned i);

/*
 * The least and the greatest value that bucket @i counts; meaningless where it has no such bound.
 */
bool hist_has_min(const struct agg_kind *k, unsigned i);
bool hist_has_max(const struct agg_kind *k, unsigned i);
int64_t hist_min(const struct agg_kind *k, unsigned i);
int64_t hist_max(const struct agg_kind *k, unsigned i);

/*
 * What is shown for bucket @i of @count, and for all buckets together, after normalize(@, @normal).
 */
int64_t hist_count(const int64_t *count, unsigned i, int64_t normal);
int64_t hist_total(const struct agg_kind *k, const int64_t *count, int64_t normal);

#endif
