/*
 * agg.h - the table of aggregating functions: the arguments, values and meaning of each.
 *
 * The compiler, both engines and all output forms use this table. The code that updates a value is
 * in ir/agg_update.c, because only the compiler needs it.
 */
#ifndef AGG_AGG_H
#define AGG_AGG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agg/kind.h"
#include "base/diag.h"

struct agg_hist;

/*
 * All aggregating functions. Each needs a row agg_NAME in agg/fns.c and a function update_NAME in
 * ir/agg_update.c; the build fails without them.
 */
/* clang-format off */
#define AGG_FNS(F) \
	F(COUNT, count) \
	F(SUM, sum) \
	F(MIN, min) \
	F(MAX, max) \
	F(AVG, avg) \
	F(STDDEV, stddev) \
	F(QUANTIZE, quantize) \
	F(LQUANTIZE, lquantize) \
	F(LLQUANTIZE, llquantize)
/* clang-format on */

#define AGG_FN_VALUE(ID, name) AGG_##ID,

enum agg_fn { AGG_FNS(AGG_FN_VALUE) AGG_FN_MAX };

/* Describes one of the constant parameters, which follow the value argument, for error messages. */
struct agg_param {
	const char *name;
	const char *want;    /* what the argument must be: "an integer constant" */
	enum dtag not_const; /* tag of the error if the argument is not a constant as in @want */
	enum dtag differs;   /* tag of the error if two clauses use different values */
};

/*
 * A row of the table: one aggregating function. Every row must set name, fn, size, merge and result
 * (tests/unit/test_agg.c checks this). All other members are optional, and all output forms work
 * without them.
 *
 * A value is an array of 8-byte words. The pointers @into, @from, @what and @value, which point to
 * values, are aligned to 8 bytes.
 */
struct agg_fn_def {
	const char *name;
	enum agg_fn fn;

	/* ---- arguments ---- */
	uint8_t nvalue; /* number of arguments before the parameters: 1, or 0 for count() */
	/* minimum number of constant parameters, which follow the value argument */
	uint8_t nparam_min;
	uint8_t nparam_max;
	/* the call may have one more argument, an increment for the bucket's count */
	bool weighted;
	const struct agg_param *param; /* descriptions of the nparam_max parameters */

	/*
	 * Checks the @nparam given parameters and fills in defaults for the others. Returns NULL,
	 * or DTrace's message for the first wrong parameter and its tag in @tag.
	 */
	const char *(*check)(int64_t *param, int nparam, enum dtag *tag);

	/* ---- values ---- */

	/* Returns the size of one value in bytes. */
	uint32_t (*size)(const int64_t *param);

	/* Merges the value @from of another CPU, file or host into @into. */
	void (*merge)(const struct agg_kind *k, void *into, const void *from);

	/*
	 * Subtracts @what, an earlier state of the same value, from @from. NULL for min() and
	 * max(): a minimum cannot be subtracted. Instead, the first word of their values is the
	 * aggregation's generation plus 1 (EXTREME_GEN in value.h). clear() raises the generation,
	 * so the next update sees that the value is old, and replaces it.
	 */
	void (*sub)(const struct agg_kind *k, void *from, const void *what);

	/*
	 * Returns the number to print: the result divided by @normal. @normal is the divisor that
	 * normalize() set; without normalize() it is 1. Keys are sorted by this number. For a
	 * histogram, the output shows the buckets instead of this number.
	 */
	int64_t (*result)(const struct agg_kind *k, const void *value, int64_t normal);

	/* ---- meaning ---- */

	/* the buckets, if the function makes histograms; NULL if it does not */
	const struct agg_hist *hist;

	/*
	 * Sets @sum and @n to the two numbers whose quotient is the mean: the sum of all values and
	 * their number. NULL if the result is not a mean.
	 */
	void (*mean)(const void *value, int64_t *sum, int64_t *n);

	/*
	 * The results of two periods can be added, so a rate per second makes sense. A row with
	 * @rate must also set @sub.
	 */
	bool rate;
	/* No update lowers the result, so Prometheus gets the metric as a counter. */
	bool monotonic;
	/* suffix of the metric's name in Prometheus, such as "_total", or NULL for no suffix */
	const char *metric;
};

/* The rows, indexed by enum agg_fn. No entry is NULL. */
extern const struct agg_fn_def *const agg_fns[AGG_FN_MAX];

/* Returns the row of the function of @k. */
const struct agg_fn_def *agg_fn_of(const struct agg_kind *k);

/*
 * Returns true for count() and for histograms. Their results are numbers of events, so the unit of
 * the argument (such as ns) is not the unit of the results.
 */
bool agg_fn_counts(const struct agg_fn_def *fn);

/* Returns the row of the function that D calls @name, or NULL. */
const struct agg_fn_def *agg_fn_find(const char *name);

#endif
