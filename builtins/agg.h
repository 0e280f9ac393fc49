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

/* The buckets of a histogram. */
struct agg_hist {
	/* The value that bucket @i counts as when keys are ranked. */
	int64_t (*value)(const struct agg_info *ai, unsigned i);

	/* The least and the greatest value that bucket @i counts, where it has such a bound. */
	int64_t (*min)(const struct agg_info *ai, unsigned i);
	int64_t (*max)(const struct agg_info *ai, unsigned i);

	bool open_ends;      /* first and last bucket count all that is below and above the others */
	uint8_t zero;        /* index of the bucket that an empty histogram is drawn around */
	uint8_t empty_rows;  /* rows of an empty histogram */
	uint8_t pack_label;  /* least width of a label with -x aggpack; 0: aggpack leaves it alone */
};

/* A constant parameter behind the value, as messages name it. */
struct agg_param {
	const char *name;
	const char *want;   /* "an integer constant" */
	enum dtag not_const; /* the tag if it is not that, ... */
	enum dtag differs;  /* and if it is not what another clause said */
};

/*
 * A row.  Required are name, fn, size, emit, merge and result (tests/unit/test_agg.c checks them).
 * Any other member may be left out, and every form of output works without it.
 */
struct agg_fn_def {
	const char *name;
	enum agg_fn fn;

	/* ---- arguments ---- */
	uint8_t nvalue;          /* leading value arguments: 0 or 1 */
	uint8_t nparam_min;      /* constant parameters after the value */
	uint8_t nparam_max;
	bool weighted;           /* an increment may follow the parameters */
	const struct agg_param *param; /* nparam_max of them */

	/*
	 * Checks the parameters (fills in defaults); NULL, or D's message for the first
	 * bad one, and in @tag its tag.
	 */
	const char *(*check)(int64_t *param, int nparam, enum dtag *tag);

	/* ---- values ---- */
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

	/*
	 * Takes @what, an earlier state of the same value, away again.  NULL: no value says what
	 * came since an earlier one.  Then a value starts with {generation + 1}, as min's does.
	 */
	void (*sub)(const struct agg_info *ai, void *from, const void *what);

	/*
	 * The 64-bit number it is ranked by and, unless it is a histogram, shown as, after
	 * normalize(@a, @normal) (1: as it is).
	 */
	int64_t (*result)(const struct agg_info *ai, const void *value, int64_t normal);

	/* ---- meaning ---- */
	const struct agg_hist *hist; /* NULL: the result is one number */

	/* Sum and number of what a mean is made of.  NULL: it is no mean. */
	void (*mean)(const void *value, int64_t *sum, int64_t *n);

	bool rate;          /* results of two periods add up, so "a second" makes sense; needs sub */
	bool only_grows;    /* no update makes the result less: a counter, to Prometheus */
	const char *metric; /* what follows the name of its metric: "_total"; NULL: nothing */
};

/* Indexed by enum agg_fn; no row is NULL, since AGG_FNS (ir/program.h) makes both. */
extern const struct agg_fn_def *const agg_fns[AGG_FN_MAX];

/* The row of an aggregation's function. */
const struct agg_fn_def *agg_fn_of(const struct agg_info *ai);

/* True if its results count things, so that they have not the unit of its argument. */
bool agg_fn_counts(const struct agg_fn_def *fn);

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
