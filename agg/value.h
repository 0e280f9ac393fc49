/*
 * value.h - the values of aggregations: their words, and how they are merged, subtracted and shown.
 */
#ifndef AGG_VALUE_H
#define AGG_VALUE_H

#include <stdbool.h>
#include <stdint.h>

struct agg_kind;

/*
 * The words of a value, 8 bytes each.  Whoever updates a value in an eBPF program uses them too.
 * A histogram is its counts alone (agg/hist.h).
 */
enum { COUNT_N };
enum { SUM_TOTAL, SUM_N /* only without a key: how often it was updated */ };
enum { EXTREME_GEN /* generation + 1; 0: never set */, EXTREME_VALUE }; /* of min() and max() */
enum { AVG_N, AVG_TOTAL };
enum { STDDEV_N, STDDEV_TOTAL, STDDEV_SQ_LOW, STDDEV_SQ_HIGH };

/*
 * Divides @v by @by, the number that normalize() set; 0 counts as 1.  INT64_MIN / -1 is INT64_MIN.
 * No other function divides by that number (tests/style/division.sh).
 */
int64_t agg_divide(int64_t v, int64_t by);
long double agg_divide_real(long double v, int64_t by);

/* agg_fn_def.merge */
void merge_words(const struct agg_kind *k, void *into, const void *from);
void merge_stddev(const struct agg_kind *k, void *into, const void *from);
void merge_min(const struct agg_kind *k, void *into, const void *from);
void merge_max(const struct agg_kind *k, void *into, const void *from);

/* agg_fn_def.sub */
void sub_words(const struct agg_kind *k, void *from, const void *what);
void sub_stddev(const struct agg_kind *k, void *from, const void *what);

/* agg_fn_def.result; 0 for a value that was never updated. */
int64_t result_first(const struct agg_kind *k, const void *value, int64_t normal);
int64_t result_extreme(const struct agg_kind *k, const void *value, int64_t normal);
int64_t result_avg(const struct agg_kind *k, const void *value, int64_t normal);
int64_t result_stddev(const struct agg_kind *k, const void *value, int64_t normal);
int64_t result_hist(const struct agg_kind *k, const void *value, int64_t normal);

/* agg_fn_def.mean */
void mean_avg(const void *value, int64_t *sum, int64_t *n);

/* The number that a picture shows for @value, which is no histogram.  A mean keeps its fraction. */
double agg_real(const struct agg_kind *k, const void *value);

/* What values are ordered by: a histogram by its sum(value * count), then by its count at zero. */
struct agg_sort_key {
	long double sum; /* holds any int64_t */
	int64_t zero;
};

struct agg_sort_key agg_sort_key_of(const struct agg_kind *k, const void *value);

/* Less than 0, 0 or more than 0, as @a is less than, equal to or more than @b. */
int agg_sort_key_cmp(const struct agg_sort_key *a, const struct agg_sort_key *b);

#endif
