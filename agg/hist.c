/*
 * hist.c - the buckets of histograms.
 */
#include "agg/hist.h"

#include "agg/agg.h"
#include "agg/value.h"
#include "base/xalloc.h"

/* Returns the bound of quantize()'s bucket @i that is nearer to zero: 4 for [4, 8). */
static int64_t quantize_value(unsigned i)
{
	if (i == QUANTIZE_ZERO)
		return 0;
	if (i > QUANTIZE_ZERO)
		return (int64_t)1 << (i - QUANTIZE_ZERO - 1);
	return -((int64_t)1 << (QUANTIZE_ZERO - 1 - i));
}

unsigned lquantize_levels(const int64_t *param)
{
	return (unsigned)((param[1] - param[0]) / param[2]);
}

/* Returns the width of the buckets in [@from, @from * factor), one order of magnitude. */
static int64_t decade_step(const int64_t *param, int64_t from)
{
	int64_t next = from * param[0];

	return next > param[3] ? next / param[3] : 1;
}

static unsigned decade_buckets(const int64_t *param, int64_t from)
{
	return (unsigned)((from * param[0] - from) / decade_step(param, from));
}

static int64_t first_bound(const int64_t *param)
{
	int64_t v = 1;

	for (int64_t i = 0; i < param[1]; i++)
		v *= param[0];
	return v;
}

unsigned llquantize_buckets(const int64_t *param)
{
	int64_t from = first_bound(param);
	unsigned n = 2;

	for (int64_t order = param[1]; order <= param[2]; order++, from *= param[0])
		n += decade_buckets(param, from);
	return n;
}

int64_t llquantize_value(const int64_t *param, unsigned i)
{
	int64_t from = first_bound(param);
	unsigned n;

	i--;
	for (int64_t order = param[1]; order <= param[2]; order++, from *= param[0], i -= n) {
		n = decade_buckets(param, from);
		if (i < n)
			return from + i * decade_step(param, from);
	}
	return from;
}

unsigned llquantize_bucket(const int64_t *param, int64_t value)
{
	int64_t from = first_bound(param);
	unsigned i = 1;

	if (value < from)
		return 0;
	for (int64_t order = param[1]; order <= param[2]; order++, from *= param[0]) {
		if (value < from * param[0])
			return i + (unsigned)((value - from) / decade_step(param, from));
		i += decade_buckets(param, from);
	}
	return i;
}

unsigned hist_buckets(const struct agg_kind *k)
{
	return k->value_size / 8;
}

static unsigned last_bucket(const struct agg_kind *k)
{
	return hist_buckets(k) - 1;
}

static int64_t quantize_sort_value(const struct agg_kind *k, unsigned i)
{
	(void)k;
	return quantize_value(i);
}

/*
 * A bucket below zero, such as (-8, -4], begins 1 above the value of the previous bucket, which is
 * -8 here.
 */
static int64_t quantize_min(const struct agg_kind *k, unsigned i)
{
	(void)k;
	return !i ? INT64_MIN : i < QUANTIZE_ZERO ? quantize_value(i - 1) + 1 : quantize_value(i);
}

static int64_t quantize_max(const struct agg_kind *k, unsigned i)
{
	(void)k;
	if (i <= QUANTIZE_ZERO)
		return quantize_value(i);
	return i < QUANTIZE_BUCKETS - 1 ? quantize_value(i + 1) - 1 : INT64_MAX;
}

static int64_t lquantize_sort_value(const struct agg_kind *k, unsigned i)
{
	const int64_t *param = k->param;

	if (i == 0)
		return param[0] - 1;
	return param[0] + (i - 1) * param[2] + (i == lquantize_levels(param) + 1);
}

static int64_t llquantize_sort_value(const struct agg_kind *k, unsigned i)
{
	if (i == 0)
		return first_bound(k->param) - 1;
	return llquantize_value(k->param, i) + (i == last_bucket(k));
}

/*
 * open_min() and open_max() are for lquantize() and llquantize(). The lowest value that a bucket
 * counts is its hist_value(). In the last bucket, it is hist_value() - 1.
 */
static int64_t open_min(const struct agg_kind *k, unsigned i)
{
	return hist_value(k, i) - (i == last_bucket(k));
}

static int64_t open_max(const struct agg_kind *k, unsigned i)
{
	return i < last_bucket(k) ? open_min(k, i + 1) - 1 : INT64_MAX;
}

const struct agg_hist hist_quantize = {
	.value = quantize_sort_value,
	.min = quantize_min,
	.max = quantize_max,
	.zero = QUANTIZE_ZERO,
	.empty_rows = 3,
	.pack_label = 4,
};

const struct agg_hist hist_lquantize = {
	.value = lquantize_sort_value,
	.min = open_min,
	.max = open_max,
	.open_ends = true,
	.empty_rows = 3,
	.pack_label = 8,
};

const struct agg_hist hist_llquantize = {
	.value = llquantize_sort_value,
	.min = open_min,
	.max = open_max,
	.open_ends = true,
	.empty_rows = 2,
};

static const struct agg_hist *hist_of(const struct agg_kind *k)
{
	if (!agg_fn_of(k)->hist)
		BUG("%s() makes no histogram", agg_fn_of(k)->name);
	return agg_fn_of(k)->hist;
}

int64_t hist_value(const struct agg_kind *k, unsigned i)
{
	return hist_of(k)->value(k, i);
}

bool hist_has_min(const struct agg_kind *k, unsigned i)
{
	return i || !hist_of(k)->open_ends;
}

bool hist_has_max(const struct agg_kind *k, unsigned i)
{
	return i < last_bucket(k) || !hist_of(k)->open_ends;
}

int64_t hist_min(const struct agg_kind *k, unsigned i)
{
	return hist_of(k)->min(k, i);
}

int64_t hist_max(const struct agg_kind *k, unsigned i)
{
	return hist_of(k)->max(k, i);
}

int64_t hist_count(const int64_t *count, unsigned i, int64_t normal)
{
	return agg_divide(count[i], normal);
}

int64_t hist_total(const struct agg_kind *k, const int64_t *count, int64_t normal)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < hist_buckets(k); i++)
		sum += (uint64_t)count[i];
	return agg_divide((int64_t)sum, normal);
}
