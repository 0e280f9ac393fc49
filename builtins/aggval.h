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

struct agg_info;

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
