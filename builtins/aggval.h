/*
 * aggval.h - the consumer's half of the aggregating functions: what their values mean.
 *
 * The layouts are drawn in ir/program.h.  Values are 8-byte words, so @into,
 * @from and @value are always aligned to 8.
 */
#ifndef BUILTINS_AGGVAL_H
#define BUILTINS_AGGVAL_H

#include <stdbool.h>
#include <stdint.h>

struct agg_hist;
struct agg_info;

/*
 * Divides @v by normalize()'s number; nothing else in the tree does.  INT64_MIN / -1 wraps around to
 * INT64_MIN.  A @by of 0 counts as 1.
 */
int64_t agg_divide(int64_t v, int64_t by);
long double agg_divide_real(long double v, int64_t by);

/* agg_fn_def.merge */
void merge_words(const struct agg_info *ai, void *into, const void *from);
void merge_stddev(const struct agg_info *ai, void *into, const void *from);
void merge_min(const struct agg_info *ai, void *into, const void *from);
void merge_max(const struct agg_info *ai, void *into, const void *from);

/* agg_fn_def.sub */
void sub_words(const struct agg_info *ai, void *from, const void *what);
void sub_stddev(const struct agg_info *ai, void *from, const void *what);

/* agg_fn_def.result; 0 for a value that was never updated. */
int64_t result_first(const struct agg_info *ai, const void *value, int64_t normal);
int64_t result_extreme(const struct agg_info *ai, const void *value, int64_t normal);
int64_t result_avg(const struct agg_info *ai, const void *value, int64_t normal);
int64_t result_stddev(const struct agg_info *ai, const void *value, int64_t normal);
int64_t result_hist(const struct agg_info *ai, const void *value, int64_t normal);

/* agg_fn_def.mean */
void mean_avg(const void *value, int64_t *sum, int64_t *n);

/* A value that is no histogram, as a picture shows it: a mean keeps its fraction. */
double agg_real(const struct agg_info *ai, const void *value);

/* agg_fn_def.hist */
extern const struct agg_hist hist_quantize, hist_lquantize, hist_llquantize;

/* What is shown for bucket @i of @count, and for all together (wraps around). */
int64_t hist_count(const int64_t *count, unsigned i, int64_t normal);
int64_t hist_total(const struct agg_info *ai, const int64_t *count, int64_t normal);

/* How many buckets a histogram has, and the value bucket @i counts as when it is ranked. */
unsigned hist_buckets(const struct agg_info *ai);
int64_t hist_value(const struct agg_info *ai, unsigned i);

/*
 * The least and the greatest value that bucket @i counts; those at the ends may have
 * none, and then the result means nothing.
 */
bool hist_has_min(const struct agg_info *ai, unsigned i);
bool hist_has_max(const struct agg_info *ai, unsigned i);
int64_t hist_min(const struct agg_info *ai, unsigned i);
int64_t hist_max(const struct agg_info *ai, unsigned i);

/* By what values of one function are ordered: histograms by sum(value * count), then by the count at zero. */
struct agg_rank {
	long double sum; /* holds any int64_t */
	int64_t zero;
};

struct agg_rank aggval_rank(const struct agg_info *ai, const void *value);

/* <0, 0, >0 */
int agg_rank_cmp(const struct agg_rank *a, const struct agg_rank *b);

#endif
