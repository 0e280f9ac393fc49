/*
 * fns.c - the table of aggregating functions, and the checks of their parameters.
 */
#include "agg/agg.h"

#include <string.h>

#include "agg/hist.h"
#include "agg/value.h"

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

static const char *reject(enum dtag *tag, enum dtag is, const char *what)
{
	*tag = is;
	return what;
}

static const char *check_lquantize(int64_t *param, int nparam, enum dtag *tag)
{
	if (nparam < 3)
		param[2] = 1;
	if (param[0] < INT32_MIN || param[0] > INT32_MAX)
		return reject(tag, D_LQUANT_BASEVAL, "argument #1 must be a 32-bit quantity");
	if (param[1] < INT32_MIN || param[1] > INT32_MAX)
		return reject(tag, D_LQUANT_LIMVAL, "argument #2 must be a 32-bit quantity");
	if (param[0] >= param[1])
		return reject(tag, D_LQUANT_MISMATCH,
			      "base (argument #1) must be less than limit (argument #2)");
	if (param[2] <= 0)
		return reject(tag, D_LQUANT_STEPTYPE,
			      "argument #3 must be a non-zero positive integer constant");
	if (param[2] > UINT16_MAX)
		return reject(tag, D_LQUANT_STEPVAL, "argument #3 must be a 16-bit quantity");
	if ((param[1] - param[0]) / param[2] == 0)
		return reject(tag, D_LQUANT_STEPLARGE,
			      "step (argument #3) too large: must have at least one quantization "
			      "level");
	if ((param[1] - param[0]) / param[2] > UINT16_MAX)
		return reject(tag, D_LQUANT_STEPSMALL,
			      "step (argument #3) too small: number of quantization levels must be "
			      "a 16-bit quantity");
	return NULL;
}

/* Returns whether factor^(high + 1) fits in 63 bits. */
static bool magnitude_fits(int64_t factor, int64_t high)
{
	int64_t v = 1;

	for (int64_t i = 0; i <= high; i++)
		if (__builtin_mul_overflow(v, factor, &v))
			return false;
	return true;
}

/* Returns whether @nsteps divides the smallest power of @factor that is not less than @nsteps. */
static bool divides_a_power(int64_t nsteps, int64_t factor)
{
	int64_t v = factor;

	while (v < nsteps)
		v *= factor;
	return v % nsteps == 0;
}

/* Checks the number of steps per order of magnitude. */
static const char *check_steps(int64_t factor, int64_t nsteps, enum dtag *tag)
{
	if (nsteps < 0 || nsteps > UINT16_MAX)
		return reject(tag, D_LLQUANT_STEPVAL,
			      "nsteps (argument #4) must be an unsigned 16-bit quantity");
	if (factor > nsteps)
		return reject(tag, D_LLQUANT_STEPVAL,
			      "factor (argument #1) must be less than or equal to nsteps (argument "
			      "#4)");
	if (nsteps % factor)
		return reject(tag, D_LLQUANT_STEPVAL,
			      "nsteps (argument #4) must be a multiple of factor (argument #1)");
	if (!divides_a_power(nsteps, factor))
		return reject(tag, D_LLQUANT_STEPVAL,
			      "nsteps (argument #4) must divide the first power of factor "
			      "(argument #1) that is at least nsteps");
	return NULL;
}

static const char *check_llquantize(int64_t *param, int nparam, enum dtag *tag)
{
	int64_t factor = param[0], low = param[1], high = param[2];

	(void)nparam;
	if (factor < 0 || factor > UINT16_MAX)
		return reject(tag, D_LLQUANT_FACTORVAL,
			      "factor (argument #1) must be an unsigned 16-bit quantity");
	if (factor < 2)
		return reject(tag, D_LLQUANT_FACTORVAL, "factor (argument #1) must be two or more");
	if (low < 0 || low > UINT16_MAX)
		return reject(tag, D_LLQUANT_LMAGVAL,
			      "low (argument #2) must be an unsigned 16-bit quantity");
	if (high < 0 || high > UINT16_MAX)
		return reject(tag, D_LLQUANT_HMAGVAL,
			      "high (argument #3) must be an unsigned 16-bit quantity");
	if (low >= high)
		return reject(tag, D_LLQUANT_HMAGVAL,
			      "low (argument #2) must be less than high (argument #3)");
	if (!magnitude_fits(factor, high))
		return reject(tag, D_LLQUANT_HMAGVAL,
			      "factor (argument #1) to the power of (high + 1) must fit in a "
			      "signed 64-bit integer (high is argument #3)");
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

static const struct agg_fn_def agg_count = {
	.name = "count",
	.fn = AGG_COUNT,
	.size = size_1,
	.merge = merge_words,
	.sub = sub_words,
	.result = result_first,
	.rate = true,
	.monotonic = true,
	.metric = "_total",
};

/*
 * sum() is not monotonic, because of sum(-1). Its metric has no suffix, because in Prometheus
 * "_sum" is for summaries and histograms.
 */
static const struct agg_fn_def agg_sum = {
	.name = "sum",
	.fn = AGG_SUM,
	.nvalue = 1,
	.size = size_2,
	.merge = merge_words,
	.sub = sub_words,
	.result = result_first,
	.rate = true,
};

static const struct agg_fn_def agg_min = {
	.name = "min",
	.fn = AGG_MIN,
	.nvalue = 1,
	.size = size_2,
	.merge = merge_min,
	.result = result_extreme,
	.metric = "_min",
};

static const struct agg_fn_def agg_max = {
	.name = "max",
	.fn = AGG_MAX,
	.nvalue = 1,
	.size = size_2,
	.merge = merge_max,
	.result = result_extreme,
	.metric = "_max",
};

static const struct agg_fn_def agg_avg = {
	.name = "avg",
	.fn = AGG_AVG,
	.nvalue = 1,
	.size = size_2,
	.merge = merge_words,
	.sub = sub_words,
	.result = result_avg,
	.mean = mean_avg,
};

static const struct agg_fn_def agg_stddev = {
	.name = "stddev",
	.fn = AGG_STDDEV,
	.nvalue = 1,
	.size = size_4,
	.merge = merge_stddev,
	.sub = sub_stddev,
	.result = result_stddev,
	.metric = "_stddev",
};

static const struct agg_fn_def agg_quantize = {
	.name = "quantize",
	.fn = AGG_QUANTIZE,
	.nvalue = 1,
	.weighted = true,
	.size = size_quantize,
	.merge = merge_words,
	.sub = sub_words,
	.result = result_hist,
	.hist = &hist_quantize,
	.rate = true,
};

static const struct agg_fn_def agg_lquantize = {
	.name = "lquantize",
	.fn = AGG_LQUANTIZE,
	.nvalue = 1,
	.nparam_min = 2,
	.nparam_max = 3,
	.weighted = true,
	.param = lquantize_param,
	.check = check_lquantize,
	.size = size_lquantize,
	.merge = merge_words,
	.sub = sub_words,
	.result = result_hist,
	.hist = &hist_lquantize,
	.rate = true,
};

static const struct agg_fn_def agg_llquantize = {
	.name = "llquantize",
	.fn = AGG_LLQUANTIZE,
	.nvalue = 1,
	.nparam_min = 4,
	.nparam_max = 4,
	.weighted = true,
	.param = llquantize_param,
	.check = check_llquantize,
	.size = size_llquantize,
	.merge = merge_words,
	.sub = sub_words,
	.result = result_hist,
	.hist = &hist_llquantize,
	.rate = true,
};

#define ROW(ID, name) [AGG_##ID] = &agg_##name,

const struct agg_fn_def *const agg_fns[AGG_FN_MAX] = {AGG_FNS(ROW)};

const struct agg_fn_def *agg_fn_of(const struct agg_kind *k)
{
	return agg_fns[k->fn];
}

bool agg_fn_counts(const struct agg_fn_def *fn)
{
	return !fn->nvalue || fn->hist;
}

const struct agg_fn_def *agg_fn_find(const char *name)
{
	for (int i = 0; i < AGG_FN_MAX; i++)
		if (!strcmp(agg_fns[i]->name, name))
			return agg_fns[i];
	return NULL;
}
