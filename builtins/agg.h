/*
 * agg.h - the aggregating functions: one row each.
 *
 * A row knows how wide its value is, how the compiler checks its arguments and
 * emits its update, and how the consumer merges, ranks and prints its values.
 * Value layouts: ir/program.h.
 */
#ifndef BUILTINS_AGG_H
#define BUILTINS_AGG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "ir/program.h"

struct irb; /* the IR builder; only the compiler's half uses it */

/* How a value is shown. */
enum agg_show { AGG_SHOW_INT, AGG_SHOW_HIST };

/* A constant parameter behind the value, as messages name it. */
struct agg_param {
	const char *name;
	const char *want;   /* "an integer constant" */
	enum dtag not_const; /* the tag if it is not that, ... */
	enum dtag differs;  /* and if it is not what another clause said */
};

struct agg_fn_def {
	const char *name;
	enum agg_fn fn;
	uint8_t nvalue;          /* leading value arguments: 0 or 1 */
	uint8_t nparam_min;      /* constant parameters after the value */
	uint8_t nparam_max;
	bool weighted;           /* an increment may follow the parameters */
	enum agg_show show;
	bool additive;           /* values may be summed and subtracted bucket by bucket */

	const struct agg_param *param; /* nparam_max of them */

	/*
	 * Checks the parameters (fills in defaults); NULL, or D's message for the first
	 * bad one, and in @tag its tag.
	 */
	const char *(*check)(int64_t *param, int nparam, enum dtag *tag);

	/* Bytes of one value. */
	uint32_t (*size)(const int64_t *param);

	/*
	 * Emits the update in place of the value at vreg @slot + @off.  @value, @incr:
	 * vregs, 0 if there is none.
	 * @atomic: other programs may interrupt this one and update the same value.
	 */
	void (*emit)(struct irb *b, const struct agg_info *ai, int slot, int32_t off, int value,
		     int incr, bool atomic);

	/* Adds one CPU's (or file's, or host's) value @from to @into. */
	void (*merge)(const struct agg_info *ai, void *into, const void *from);

	/* Takes @what, an earlier state of the same value, away again; NULL unless additive. */
	void (*sub)(const struct agg_info *ai, void *from, const void *what);

	/*
	 * The 64-bit number it is ranked by and, for AGG_SHOW_INT, shown as, after
	 * normalize(@a, @normal) (1: as it is).
	 */
	int64_t (*result)(const struct agg_info *ai, const void *value, int64_t normal);
};

/* Indexed by enum agg_fn. */
extern const struct agg_fn_def agg_fns[AGG_FN_MAX];

/* By D name; NULL: not an aggregating function. */
const struct agg_fn_def *agg_fn_find(const char *name);

/* ---- bucket numbering: what the emitted code and the histograms agree on ---- */

/*
 * quantize: bucket 63 holds 0; 64 + k holds [2^k, 2^(k+1)), k = 0..62; 62 - k
 * holds (-2^(k+1), -2^k].  Lower bound of bucket @i:
 */
#define QUANTIZE_BUCKETS 127
#define QUANTIZE_ZERO 63
int64_t quantize_value(unsigned i);

/* lquantize: bucket 0 is "< base", 1..levels are base + (i-1)*step, levels + 1 is ">= limit". */
unsigned lquantize_levels(const int64_t *param);

/*
 * llquantize(x, factor, low, high, nsteps): bucket 0 is "< factor^low"; then for
 * each decade from factor^low to factor^(high+1) its steps; last ">= factor^(high+1)".
 */
unsigned llquantize_buckets(const int64_t *param);
/* Lower bound of bucket @i (1 <= i); for the last: its limit. */
int64_t llquantize_value(const int64_t *param, unsigned i);
/* The bucket a value falls in (the emitted code does the same with tables folded in). */
unsigned llquantize_bucket(const int64_t *param, int64_t value);

#endif
