/*
 * aggval.c - merge, rank and number the values of aggregations.
 *
 * Knows the layouts (ir/program.h) and the numbering of the buckets, which the
 * emitted code follows too.  Knows nothing of keys, CPUs or printing.
 */
#include "builtins/aggval.h"

#include "base/xalloc.h"
#include "builtins/agg.h"

typedef unsigned __int128 u128;

/* Where the words of a value are. */
enum { EXTREME_GEN, EXTREME_VALUE };
enum { AVG_N, AVG_TOTAL };
enum { STDDEV_N, STDDEV_TOTAL, STDDEV_SQ_LOW, STDDEV_SQ_HIGH };

/* ------------------------------------------------------------------- merging */

void merge_words(const struct agg_info *ai, void *into, const void *from)
{
	const uint64_t *f = from;
	uint64_t *t = into;

	for (uint32_t i = 0; i < ai->value_size / 8; i++)
		t[i] += f[i];
}

void sub_words(const struct agg_info *ai, void *from, const void *what)
{
	const uint64_t *w = what;
	uint64_t *f = from;

	for (uint32_t i = 0; i < ai->value_size / 8; i++)
		f[i] -= w[i];
}

static u128 squares(const uint64_t *v)
{
	return (u128)v[STDDEV_SQ_HIGH] << 64 | v[STDDEV_SQ_LOW];
}

static void set_squares(uint64_t *v, u128 sq)
{
	v[STDDEV_SQ_LOW] = (uint64_t)sq;
	v[STDDEV_SQ_HIGH] = (uint64_t)(sq >> 64);
}

void merge_stddev(const struct agg_info *ai, void *into, const void *from)
{
	const uint64_t *f = from;
	uint64_t *t = into;

	(void)ai;
	t[STDDEV_N] += f[STDDEV_N];
	t[STDDEV_TOTAL] += f[STDDEV_TOTAL];
	set_squares(t, squares(t) + squares(f));
}

void sub_stddev(const struct agg_info *ai, void *from, const void *what)
{
	const uint64_t *w = what;
	uint64_t *f = from;

	(void)ai;
	f[STDDEV_N] -= w[STDDEV_N];
	f[STDDEV_TOTAL] -= w[STDDEV_TOTAL];
	set_squares(f, squares(f) - squares(w));
}

static void merge_extreme(int64_t *into, const int64_t *from, int sign)
{
	if (!from[EXTREME_GEN])
		return;
	if (!into[EXTREME_GEN] || (from[EXTREME_VALUE] < into[EXTREME_VALUE] ? -sign : sign) > 0)
		into[EXTREME_VALUE] = from[EXTREME_VALUE];
	into[EXTREME_GEN] = from[EXTREME_GEN];
}

void merge_min(const struct agg_info *ai, void *into, const void *from)
{
	(void)ai;
	merge_extreme(into, from, -1);
}

void merge_max(const struct agg_info *ai, void *into, const void *from)
{
	(void)ai;
	merge_extreme(into, from, 1);
}

/* ------------------------------------------------------------------- results */

int64_t agg_divide(int64_t v, int64_t by)
{
	if (!by)
		return v;
	return by == -1 ? (int64_t) - (uint64_t)v : v / by;
}

long double agg_divide_real(long double v, int64_t by)
{
	return by ? v / (long double)by : v;
}

int64_t result_first(const struct agg_info *ai, const void *value, int64_t normal)
{
	(void)ai;
	return agg_divide(*(const int64_t *)value, normal);
}

int64_t result_extreme(const struct agg_info *ai, const void *value, int64_t normal)
{
	const int64_t *v = value;

	(void)ai;
	return v[EXTREME_GEN] ? agg_divide(v[EXTREME_VALUE], normal) : 0;
}

int64_t result_avg(const struct agg_info *ai, const void *value, int64_t normal)
{
	const int64_t *v = value;

	(void)ai;
	return v[AVG_N] ? agg_divide(agg_divide(v[AVG_TOTAL], normal), v[AVG_N]) : 0;
}

void mean_avg(const void *value, int64_t *sum, int64_t *n)
{
	const int64_t *v = value;

	*sum = v[AVG_TOTAL];
	*n = v[AVG_N];
}

/* floor(sqrt(x)), one bit at a time from the top. */
static uint64_t isqrt(u128 x)
{
	u128 root = 0;

	for (int bit = 63; bit >= 0; bit--) {
		u128 next = root | (u128)1 << bit;

		if (next * next <= x)
			root = next;
	}
	return (uint64_t)root;
}

/* sqrt(mean(x^2) - mean(x)^2), every step truncated as DTrace does. */
int64_t result_stddev(const struct agg_info *ai, const void *value, int64_t normal)
{
	const uint64_t *v = value;
	uint64_t n = v[STDDEV_N], mag = normal < 0 ? -(uint64_t)normal : (uint64_t)normal + !normal;
	int64_t mean;
	u128 mean_sq, sq_mean;

	(void)ai;
	if (!n)
		return 0;
	mean_sq = squares(v) / mag / mag / n;
	mean = agg_divide(agg_divide((int64_t)v[STDDEV_TOTAL], normal), (int64_t)n);
	sq_mean = (u128)((__int128)mean * mean);
	return mean_sq > sq_mean ? (int64_t)isqrt(mean_sq - sq_mean) : 0;
}

/* ------------------------------------------------------------------- buckets */

int64_t quantize_value(unsigned i)
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

/* What one decade, from @from to @from * factor, is split into. */
static int64_t decade_step(const int64_t *param, int64_t from)
{
	int64_t next = from * param[0];

	return next > param[3] ? next / param[3] : 1;
}

static unsigned decade_buckets(const int64_t *param, int64_t from)
{
	return (unsigned)((from * param[0] - from) / decade_step(param, from));
}

static int64_t lowest(const int64_t *param)
{
	int64_t v = 1;

	for (int64_t i = 0; i < param[1]; i++)
		v *= param[0];
	return v;
}

unsigned llquantize_buckets(const int64_t *param)
{
	int64_t from = lowest(param);
	unsigned n = 2;

	for (int64_t order = param[1]; order <= param[2]; order++, from *= param[0])
		n += decade_buckets(param, from);
	return n;
}

int64_t llquantize_value(const int64_t *param, unsigned i)
{
	int64_t from = lowest(param);
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
	int64_t from = lowest(param);
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

unsigned hist_buckets(const struct agg_info *ai)
{
	return ai->value_size / 8;
}

static unsigned last_bucket(const struct agg_info *ai)
{
	return hist_buckets(ai) - 1;
}

static int64_t quantize_rank(const struct agg_info *ai, unsigned i)
{
	(void)ai;
	return quantize_value(i);
}

/* A bucket below zero goes from the value it is called by away from zero. */
static int64_t quantize_min(const struct agg_info *ai, unsigned i)
{
	(void)ai;
	return !i ? INT64_MIN : i < QUANTIZE_ZERO ? quantize_value(i - 1) + 1 : quantize_value(i);
}

static int64_t quantize_max(const struct agg_info *ai, unsigned i)
{
	(void)ai;
	if (i <= QUANTIZE_ZERO)
		return quantize_value(i);
	return i < QUANTIZE_BUCKETS - 1 ? quantize_value(i + 1) - 1 : INT64_MAX;
}

static int64_t lquantize_rank(const struct agg_info *ai, unsigned i)
{
	const int64_t *param = ai->param;

	if (i == 0)
		return param[0] - 1;
	return param[0] + (i - 1) * param[2] + (i == lquantize_levels(param) + 1);
}

static int64_t llquantize_rank(const struct agg_info *ai, unsigned i)
{
	if (i == 0)
		return lowest(ai->param) - 1;
	return llquantize_value(ai->param, i) + (i == last_bucket(ai));
}

/* Where the ends are open: a bucket's bounds follow from what it and the next are ranked as. */
static int64_t open_min(const struct agg_info *ai, unsigned i)
{
	return hist_value(ai, i) - (i == last_bucket(ai));
}

static int64_t open_max(const struct agg_info *ai, unsigned i)
{
	return i < last_bucket(ai) ? open_min(ai, i + 1) - 1 : INT64_MAX;
}

const struct agg_hist hist_quantize = {
	.value = quantize_rank,
	.min = quantize_min,
	.max = quantize_max,
	.zero = QUANTIZE_ZERO,
	.empty_rows = 3,
	.pack_label = 4,
};

const struct agg_hist hist_lquantize = {
	.value = lquantize_rank,
	.min = open_min,
	.max = open_max,
	.open_ends = true,
	.empty_rows = 3,
	.pack_label = 8,
};

const struct agg_hist hist_llquantize = {
	.value = llquantize_rank,
	.min = open_min,
	.max = open_max,
	.open_ends = true,
	.empty_rows = 2,
};

static const struct agg_hist *hist_of(const struct agg_info *ai)
{
	if (!agg_fn_of(ai)->hist)
		BUG("@%s is no histogram", ai->name);
	return agg_fn_of(ai)->hist;
}

int64_t hist_value(const struct agg_info *ai, unsigned i)
{
	return hist_of(ai)->value(ai, i);
}

bool hist_has_min(const struct agg_info *ai, unsigned i)
{
	return i || !hist_of(ai)->open_ends;
}

bool hist_has_max(const struct agg_info *ai, unsigned i)
{
	return i < last_bucket(ai) || !hist_of(ai)->open_ends;
}

int64_t hist_min(const struct agg_info *ai, unsigned i)
{
	return hist_of(ai)->min(ai, i);
}

int64_t hist_max(const struct agg_info *ai, unsigned i)
{
	return hist_of(ai)->max(ai, i);
}

int64_t hist_count(const int64_t *count, unsigned i, int64_t normal)
{
	return agg_divide(count[i], normal);
}

int64_t hist_total(const struct agg_info *ai, const int64_t *count, int64_t normal)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < hist_buckets(ai); i++)
		sum += (uint64_t)count[i];
	return agg_divide((int64_t)sum, normal);
}

/* ------------------------------------------------------------------- ranking */

static struct agg_rank weigh(const struct agg_info *ai, const int64_t *count)
{
	unsigned n = hist_buckets(ai);
	struct agg_rank w = {0, 0};
	int64_t v;

	for (unsigned i = 0; i < n; i++) {
		if (!count[i])
			continue;
		v = hist_value(ai, i);
		w.sum += (long double)v * (long double)count[i];
		if (!v)
			w.zero = count[i];
	}
	return w;
}

int64_t result_hist(const struct agg_info *ai, const void *value, int64_t normal)
{
	long double sum = agg_divide_real(weigh(ai, value).sum, normal);

	if (sum >= (long double)INT64_MAX)
		return INT64_MAX;
	return sum <= (long double)INT64_MIN ? INT64_MIN : (int64_t)sum;
}

double agg_real(const struct agg_info *ai, const void *value)
{
	const struct agg_fn_def *fn = agg_fn_of(ai);
	int64_t sum, n;

	if (!fn->mean)
		return (double)fn->result(ai, value, 1);
	fn->mean(value, &sum, &n);
	return n ? (double)sum / (double)n : 0;
}

struct agg_rank aggval_rank(const struct agg_info *ai, const void *value)
{
	const struct agg_fn_def *fn = agg_fn_of(ai);

	if (!fn->hist)
		return (struct agg_rank){(long double)fn->result(ai, value, 1), 0};
	return weigh(ai, value);
}

int agg_rank_cmp(const struct agg_rank *a, const struct agg_rank *b)
{
	if (a->sum != b->sum)
		return a->sum > b->sum ? 1 : -1;
	return (a->zero > b->zero) - (a->zero < b->zero);
}
