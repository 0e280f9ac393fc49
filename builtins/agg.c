/*
 * agg.c - the table of aggregating functions, and what their parameters must be.
 */
#include "builtins/agg.h"

#include <string.h>

#include "builtins/aggemit.h"
#include "builtins/aggval.h"

/* ---------------------------------------------------------------- parameters */

static const struct agg_param lquantize_param[] = {
	{"base", "an integer constant", D_LQUANT_BASETYPE, D_LQUANT_MATCHBASE},
	{"limit", "an integer constant", D_LQUANT_LIMTYPE, D_LQUANT_MATCHLIM},
	{"step", "a non-zero positive integer constant", D_LQUANT_STEPTYPE, D_LQUANT_MATCHSTEP},
};

static const struct agg_param llquantize_param[] = {
	{"factor", "an integer constant", D_LLQUANT_FACTORTYPE, D_LLQUANT_MATCHFACTOR},
	{"low", "an integer constant", D_LLQUANT_LMAGTYPE, D_LLQUANT_MATCHLMAG},
	{"high", "an integer constant", D_LLQUANT_HMAGTYPE, D_LLQUANT_MATCHHMAG},
	{"nsteps", "an integer constant", D_LLQUANT_STEPTYPE, D_LLQUANT_MATCHSTEPS},
};

/* What is wrong, and the tag of that. */
static const char *bad(enum dtag *tag, enum dtag is, const char *what)
{
	*tag = is;
	return what;
}

static const char *check_lquantize(int64_t *param, int nparam, enum dtag *tag)
{
	if (nparam < 3)
		param[2] = 1;
	if (param[0] < INT32_MIN || param[0] > INT32_MAX)
		return bad(tag, D_LQUANT_BASEVAL, "argument #1 must be a 32-bit quantity");
	if (param[1] < INT32_MIN || param[1] > INT32_MAX)
		return bad(tag, D_LQUANT_LIMVAL, "argument #2 must be a 32-bit quantity");
	if (param[0] >= param[1])
		return bad(tag, D_LQUANT_MISMATCH,
			   "base (argument #1) must be less than limit (argument #2)");
	if (param[2] <= 0)
		return bad(tag, D_LQUANT_STEPTYPE,
			   "argument #3 must be a non-zero positive integer constant");
	if (param[2] > UINT16_MAX)
		return bad(tag, D_LQUANT_STEPVAL, "argument #3 must be a 16-bit quantity");
	if ((param[1] - param[0]) / param[2] == 0)
		return bad(tag, D_LQUANT_STEPLARGE,
			   "step (argument #3) too large: must have at least one quantization level");
	if ((param[1] - param[0]) / param[2] > UINT16_MAX)
		return bad(tag, D_LQUANT_STEPSMALL,
			   "step (argument #3) too small: number of quantization levels must be a "
			   "16-bit quantity");
	return NULL;
}

/* Does factor^(high + 1) fit in 63 bits? */
static bool magnitude_fits(int64_t factor, int64_t high)
{
	int64_t v = 1;

	for (int64_t i = 0; i <= high; i++)
		if (__builtin_mul_overflow(v, factor, &v))
			return false;
	return true;
}

/* The smallest power of @factor that is at least @nsteps must be a multiple of it. */
static bool divides_a_power(int64_t nsteps, int64_t factor)
{
	int64_t v = factor;

	while (v < nsteps)
		v *= factor;
	return v % nsteps == 0;
}

/* How the steps divide a decade. */
static const char *check_steps(int64_t factor, int64_t nsteps, enum dtag *tag)
{
	if (nsteps < 0 || nsteps > UINT16_MAX)
		return bad(tag, D_LLQUANT_STEPVAL,
			   "nsteps (argument #4) must be an unsigned 16-bit quantity");
	if (factor > nsteps)
		return bad(tag, D_LLQUANT_STEPVAL,
			   "factor (argument #1) must be less than or equal to nsteps (argument #4)");
	if (nsteps % factor)
		return bad(tag, D_LLQUANT_STEPVAL,
			   "nsteps (argument #4) must be a multiple of factor (argument #1)");
	if (!divides_a_power(nsteps, factor))
		return bad(tag, D_LLQUANT_STEPVAL,
			   "nsteps (argument #4) must divide a power of factor (argument #1)");
	return NULL;
}

static const char *check_llquantize(int64_t *param, int nparam, enum dtag *tag)
{
	int64_t factor = param[0], low = param[1], high = param[2];

	(void)nparam;
	if (factor < 0 || factor > UINT16_MAX)
		return bad(tag, D_LLQUANT_FACTORVAL,
			   "factor (argument #1) must be an unsigned 16-bit quantity");
	if (factor < 2)
		return bad(tag, D_LLQUANT_FACTORVAL, "factor (argument #1) must be two or more");
	if (low < 0 || low > UINT16_MAX)
		return bad(tag, D_LLQUANT_LMAGVAL,
			   "low (argument #2) must be an unsigned 16-bit quantity");
	if (high < 0 || high > UINT16_MAX)
		return bad(tag, D_LLQUANT_HMAGVAL,
			   "high (argument #3) must be an unsigned 16-bit quantity");
	if (low >= high)
		return bad(tag, D_LLQUANT_HMAGVAL,
			   "low (argument #2) must be less than high (argument #3)");
	if (!magnitude_fits(factor, high))
		return bad(tag, D_LLQUANT_HMAGVAL,
			   "factor (argument #1) raised to the power of high (argument #3) plus one "
			   "overflows 64 bits");
	return check_steps(factor, param[3], tag);
}

/* --------------------------------------------------------------------- sizes */

static uint32_t size_1(const int64_t *param)
{
	(void)param;
	return 8;
}

static uint32_t size_2(const int64_t *param)
{
	(void)param;
	return 16;
}

static uint32_t size_4(const int64_t *param)
{
	(void)param;
	return 32;
}

static uint32_t size_quantize(const int64_t *param)
{
	(void)param;
	return QUANTIZE_BUCKETS * 8;
}

static uint32_t size_lquantize(const int64_t *param)
{
	return (lquantize_levels(param) + 2) * 8;
}

static uint32_t size_llquantize(const int64_t *param)
{
	return llquantize_buckets(param) * 8;
}

/* --------------------------------------------------------------------- table */

#define INT AGG_SHOW_INT
#define HIST AGG_SHOW_HIST

const struct agg_fn_def agg_fns[AGG_FN_MAX] = {
    /* name, function, values, parameters min max, weighted, show, additive, param, check,
     * size,
     * emit, merge, sub, result */
    [AGG_COUNT] = {"count", AGG_COUNT, 0, 0, 0, false, INT, true, NULL, NULL, size_1, agg_emit_count,
		   merge_words, sub_words, result_first},
    [AGG_SUM] = {"sum", AGG_SUM, 1, 0, 0, false, INT, true, NULL, NULL, size_2, agg_emit_sum, merge_words,
		 sub_words, result_first},
    [AGG_MIN] = {"min", AGG_MIN, 1, 0, 0, false, INT, false, NULL, NULL, size_2, agg_emit_min, merge_min,
		 NULL, result_extreme},
    [AGG_MAX] = {"max", AGG_MAX, 1, 0, 0, false, INT, false, NULL, NULL, size_2, agg_emit_max, merge_max,
		 NULL, result_extreme},
    [AGG_AVG] = {"avg", AGG_AVG, 1, 0, 0, false, INT, true, NULL, NULL, size_2, agg_emit_avg, merge_words,
		 sub_words, result_avg},
    [AGG_STDDEV] = {"stddev", AGG_STDDEV, 1, 0, 0, false, INT, true, NULL, NULL, size_4, agg_emit_stddev,
		    merge_stddev, sub_stddev, result_stddev},
    [AGG_QUANTIZE] = {"quantize", AGG_QUANTIZE, 1, 0, 0, true, HIST, true, NULL, NULL, size_quantize,
		      agg_emit_quantize, merge_words, sub_words, result_hist},
    [AGG_LQUANTIZE] = {"lquantize", AGG_LQUANTIZE, 1, 2, 3, true, HIST, true, lquantize_param,
		       check_lquantize, size_lquantize, agg_emit_lquantize, merge_words, sub_words, result_hist},
    [AGG_LLQUANTIZE] = {"llquantize", AGG_LLQUANTIZE, 1, 4, 4, true, HIST, true, llquantize_param,
			check_llquantize, size_llquantize, agg_emit_llquantize, merge_words, sub_words, result_hist},
};

const struct agg_fn_def *agg_fn_find(const char *name)
{
	for (int i = 0; i < AGG_FN_MAX; i++)
		if (!strcmp(agg_fns[i].name, name))
			return &agg_fns[i];
	return NULL;
}
