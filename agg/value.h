/*
 * value.h - the values of aggregations: their words, and how to merge, subtract, sort and print
 * them.
 */
#ifndef AGG_VALUE_H
#define AGG_VALUE_H

#include <stdbool.h>
#include <stdint.h>

struct agg_kind;

/*
 * The words of each function's value. A word has 8 bytes. The eBPF programs that update values use
 * the same layout. The value of a histogram is an array of counts (agg/hist.h).
 */
enum { COUNT_N };
enum { SUM_TOTAL, SUM_N /* number of updates; used only in aggregations without a key */ };
/* for min() and max(); EXTREME_GEN is the generation + 1, or 0 before the first value */
enum { EXTREME_GEN, EXTREME_VALUE };
enum { AVG_N, AVG_TOTAL };
enum { STDDEV_N, STDDEV_TOTAL, STDDEV_SQ_LOW, STDDEV_SQ_HIGH };

/*
 * Divide @v by @by, the divisor that normalize() set. A divisor of 0 is treated as 1. Dividing
 * INT64_MIN by -1 gives INT64_MIN. All code that divides by such a divisor must call one of these
 * two functions (tests/style/division.sh checks this).
 */
int64_t agg_divide(int64_t v, int64_t by);
long double agg_divide_real(long double v, int64_t by);

/* Implementations of agg_fn_def.merge (agg/agg.h), which merges two values. */
void merge_words(const struct agg_kind *k, void *into, const void *from);
void merge_stddev(const struct agg_kind *k, void *into, const void *from);
void merge_min(const struct agg_kind *k, void *into, const void *from);
void merge_max(const struct agg_kind *k, void *into, const void *from);

/* Implementations of agg_fn_def.sub, which subtracts an earlier state of a value. */
void sub_words(const struct agg_kind *k, void *from, const void *what);
void sub_stddev(const struct agg_kind *k, void *from, const void *what);

/*
 * Implementations of agg_fn_def.result, which returns the number to print. They return 0 for a
 * value that was never updated.
 */
int64_t result_first(const struct agg_kind *k, const void *value, int64_t normal);
int64_t result_extreme(const struct agg_kind *k, const void *value, int64_t normal);
int64_t result_avg(const struct agg_kind *k, const void *value, int64_t normal);
int64_t result_stddev(const struct agg_kind *k, const void *value, int64_t normal);
int64_t result_hist(const struct agg_kind *k, const void *value, int64_t normal);

/* Implementation of agg_fn_def.mean for avg(). */
void mean_avg(const void *value, int64_t *sum, int64_t *n);

/*
 * Returns the number that a chart shows for @value, which must not be a histogram. Unlike the
 * printed number, a mean is not rounded.
 */
double agg_real(const struct agg_kind *k, const void *value);

/*
 * The key that values are sorted by. A histogram is sorted by the sum of each bucket's value times
 * its count, and then by its count of zeros.
 */
struct agg_sort_key {
	/* the result, or the sum for histograms; a long double represents any int64_t exactly */
	long double sum;
	int64_t zero;
};

/* Returns the sort key of @value. */
struct agg_sort_key agg_sort_key_of(const struct agg_kind *k, const void *value);

/*
 * Compares two sort keys. Returns a number less than 0 if @a is less than @b, 0 if they are equal,
 * and a number greater than 0 otherwise.
 */
int agg_sort_key_cmp(const struct agg_sort_key *a, const struct agg_sort_key *b);

#endif
