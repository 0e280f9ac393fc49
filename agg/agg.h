/*
 * agg.h - the aggregating functions: one row each says what its values are and mean.
 *
 * The compiler, both engines and every form of output go by these rows.  The code that updates a
 * value is in ir/agg_update.c, because only the compiler needs it.
 */
#ifndef AGG_AGG_H
#define AGG_AGG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

struct agg_hist;

/*
 * All aggregating functions.  Each has a row agg_NAME in agg/fns.c and a function update_NAME in
 * ir/agg_update.c: without one of them the build fails.
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

#define AGG_PARAMS 4 /* as many constant parameters a function has at most */

/* What all values of one aggregation have in common. */
struct agg_kind {
	enum agg_fn fn;
	/* lquantize: base limit step; llquantize: factor low high nsteps */
	int64_t param[AGG_PARAMS];
	uint32_t value_size; /* bytes of one value, a multiple of 8 */
};

/* A constant parameter behind the value, as messages name it. */
struct agg_param {
	const char *name;
	const char *want;    /* "an integer constant" */
	enum dtag not_const; /* the error's tag if it is no such constant, ... */
	enum dtag differs;   /* ... and if another clause gave another number */
};

/*
 * A row.  Required are name, fn, size, merge and result (tests/unit/test_agg.c checks them).
 * Any other member may be left out, and every form of output works without it.
 * Values are words of 8 bytes: @into, @from, @what and @value are aligned to 8.
 */
struct agg_fn_def {
	const char *name;
	enum agg_fn fn;

	/* ---- arguments ---- */
	uint8_t nvalue;     /* leading value arguments: 0 or 1 */
	uint8_t nparam_min; /* constant parameters after the value */
	uint8_t nparam_max;
	bool weighted;                 /* an increment may follow the parameters */
	const struct agg_param *param; /* nparam_max of them */

	/*
	 * Checks the parameters and fills in defaults.  Returns NULL, or D's message for the first
	 * wrong one, whose tag is then in @tag.
	 */
	const char *(*check)(int64_t *param, int nparam, enum dtag *tag);

	/* ---- values ---- */

	/* Bytes of one value. */
	uint32_t (*size)(const int64_t *param);

	/* Adds the value @from, of another CPU, file or host, to @into. */
	void (*merge)(const struct agg_kind *k, void *into, const void *from);

	/*
	 * Takes @what, an earlier state of the same value, away from @from.  NULL: what came since
	 * an earlier state cannot be known.  Then a value starts with {generation + 1}, as min's
	 * does.
	 */
	void (*sub)(const struct agg_kind *k, void *from, const void *what);

	/*
	 * The number that keys are ordered by and, unless it is a histogram, that is shown, divided
	 * by @normal, the number that normalize() set (1: none).
	 */
	int64_t (*result)(const struct agg_kind *k, const void *value, int64_t normal);

	/* ---- meaning ---- */

	/* how its buckets are numbered; NULL: the result is one number */
	const struct agg_hist *hist;

	/* The sum and the number that a mean is made of.  NULL: it is no mean. */
	void (*mean)(const void *value, int64_t *sum, int64_t *n);

	/* results of two periods add up, so "per second" makes sense; needs sub */
	bool rate;
	bool monotonic; /* no update makes the result less: to Prometheus, a counter */
	/* what follows its metric's name in Prometheus: "_total"; NULL: nothing */
	const char *metric;
};

/* The rows, by enum agg_fn.  None is NULL. */
extern const struct agg_fn_def *const agg_fns[AGG_FN_MAX];

/* The row of an aggregation's function. */
const struct agg_fn_def *agg_fn_of(const struct agg_kind *k);

/* True if the results count events, so that the unit of the argument is not theirs. */
bool agg_fn_counts(const struct agg_fn_def *fn);

/* The row of the function that D calls @name; NULL if there is none. */
const struct agg_fn_def *agg_fn_find(const char *name);

#endif
