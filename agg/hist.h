/*
 * hist.h - the buckets of quantize(), lquantize() and llquantize().
 *
 * The value of a histogram is an array of counts, one of 8 bytes for each bucket. The code that
 * updates histograms (ir/agg_update.c) uses the same bucket numbers. Source: the DTrace guide,
 * chapter "Aggregations".
 */
#ifndef AGG_HIST_H
#define AGG_HIST_H

#include <stdbool.h>
#include <stdint.h>

struct agg_kind;

/* The buckets of one function. The buckets are numbered from 0, and @i is such a number. */
struct agg_hist {
	/* Returns the value that stands for bucket @i when keys are sorted. */
	int64_t (*value)(const struct agg_kind *k, unsigned i);

	/*
	 * Return the lowest (min) and the highest (max) value that bucket @i counts. With
	 * open_ends, the first bucket has no lowest value, and the last bucket no highest value.
	 * The result for these is undefined.
	 */
	int64_t (*min)(const struct agg_kind *k, unsigned i);
	int64_t (*max)(const struct agg_kind *k, unsigned i);

	/*
	 * The first bucket counts all values below the other buckets, and the last bucket all
	 * values above them.
	 */
	bool open_ends;
	/* the bucket in the middle row of an empty histogram; 0 if the first row is bucket 0 */
	uint8_t zero;
	uint8_t empty_rows; /* number of rows that an empty histogram shows */
	/*
	 * Minimum width of a label with -x aggpack, in columns. 0 if aggpack does not apply to the
	 * function.
	 */
	uint8_t pack_label;
};

extern const struct agg_hist hist_quantize, hist_lquantize, hist_llquantize;

/* ---- buckets of each function ---- */

/*
 * quantize(): bucket 63 counts 0. Bucket 64 + k counts [2^k, 2^(k+1)), for k = 0 to 62. Bucket 62 -
 * k counts (-2^(k+1), -2^k].
 */
#define QUANTIZE_BUCKETS 127
#define QUANTIZE_ZERO 63

/*
 * The buckets of lquantize(). Bucket 0 counts the values below base. Bucket i counts
 * [base + (i - 1) * step, base + i * step). The last bucket counts all higher values: from limit
 * on, or from a smaller value if step does not divide limit - base. Returns the number of buckets
 * without the first and the last.
 */
unsigned lquantize_levels(const int64_t *param);

/*
 * The buckets of llquantize(). Bucket 0 counts the values below factor^low. The next buckets divide
 * each order of magnitude, from factor^low to factor^(high + 1), into steps. The last bucket counts
 * all higher values. Returns the number of buckets.
 */
unsigned llquantize_buckets(const int64_t *param);

/* Returns the lower bound of bucket @i. @i is at least 1: bucket 0 has no lower bound. */
int64_t llquantize_value(const int64_t *param, unsigned i);

/* Returns the bucket that counts @value. */
unsigned llquantize_bucket(const int64_t *param, int64_t value);

/* ---- any histogram ---- */

/* Returns the number of buckets. */
unsigned hist_buckets(const struct agg_kind *k);

/* Returns the value that stands for bucket @i when keys are sorted. */
int64_t hist_value(const struct agg_kind *k, unsigned i);

/*
 * hist_has_min() and hist_has_max() return whether bucket @i has a lowest and a highest value.
 * hist_min() and hist_max() return that value; their result is undefined if there is none.
 */
bool hist_has_min(const struct agg_kind *k, unsigned i);
bool hist_has_max(const struct agg_kind *k, unsigned i);
int64_t hist_min(const struct agg_kind *k, unsigned i);
int64_t hist_max(const struct agg_kind *k, unsigned i);

/*
 * hist_count() returns the count to print for bucket @i of @count, and hist_total() the count for
 * all buckets together. @normal is the divisor that normalize() set.
 */
int64_t hist_count(const int64_t *count, unsigned i, int64_t normal);
int64_t hist_total(const struct agg_kind *k, const int64_t *count, int64_t normal);

#endif
