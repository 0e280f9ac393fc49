/*
 * value.c - merges, subtracts and sorts the values of aggregations.
 */
#include "agg/value.h"

#include "agg/agg.h"
#include "agg/hist.h"

typedef unsigned __int128 u128;

/* ------------------------------------------------------------------- merging */

void merge_words(const struct agg_kind *k, void *into, const void *from)
{
	const uint64_t *f = from;
	uint64_t *t = into;

	for (uint32_t i = 0; i < k->value_size / 8; i++)
		t[i] += f[i];
}

void sub_words(const struct agg_kind *k, void *from, const void *what)
{
	const uint64_t *w = what;
	uint64_t *f = from;

	for (uint32_t i = 0; i < k->value_size / 8; i++)
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

void merge_stddev(const struct agg_kind *k, void *into, const void *from)
{
	const uint64_t *f = from;
	uint64_t *t = into;

	(void)k;
	t[STDDEV_N] += f[STDDEV_N];
	t[STDDEV_TOTAL] += f[STDDEV_TOTAL];
	set_squares(t, squares(t) + squares(f));
}

void sub_stddev(const struct agg_kind *k, void *from, const void *what)
{
	const uint64_t *w = what;
	uint64_t *f = from;

	(void)k;
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

void merge_min(const struct agg_kind *k, void *into, const void *from)
{
	(void)k;
	merge_extreme(into, from, -1);
}

void merge_max(const struct agg_kind *k, void *into, const void *from)
{
	(void)k;
	merge_extreme(into, from, 1);
}

/* ------------------------------------------------------------------- results */

int64_t agg_divide(int64_t v, int64_t by)
{
	if (!by || by == 1) /* the usual case */
		return v;
	return by == -1 ? (int64_t)-(uint64_t)v : v / by;
}

long double agg_divide_real(long double v, int64_t by)
{
	return by ? v / (long double)by : v;
}

int64_t result_first(const struct agg_kind *k, const void *value, int64_t normal)
{
	(void)k;
	return agg_divide(*(const int64_t *)value, normal);
}

int64_t result_extreme(const struct agg_kind *k, const void *value, int64_t normal)
{
	const int64_t *v = value;

	(void)k;
	return v[EXTREME_GEN] ? agg_divide(v[EXTREME_VALUE], normal) : 0;
}

int64_t result_avg(const struct agg_kind *k, const void *value, int64_t normal)
{
	const int64_t *v = value;

	(void)k;
	return v[AVG_N] ? agg_divide(agg_divide(v[AVG_TOTAL], normal), v[AVG_N]) : 0;
}

void mean_avg(const void *value, int64_t *sum, int64_t *n)
{
	const int64_t *v = value;

	*sum = v[AVG_TOTAL];
	*n = v[AVG_N];
}

/* Returns floor(sqrt(x)), computed bit by bit from the top. */
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

/*
 * Returns the integer part of the standard deviation, divided by |@normal|. Its square is
 * (squares - sum^2 / n) / n. Only the quotient and the remainder of sum^2 / n fit in 128 bits, not
 * n * squares, but they are enough to round down exactly.
 */
int64_t result_stddev(const struct agg_kind *k, const void *value, int64_t normal)
{
	const uint64_t *v = value;
	uint64_t n = v[STDDEV_N], mag = normal < 0 ? -(uint64_t)normal : (uint64_t)normal + !normal;
	__int128 sum = (int64_t)v[STDDEV_TOTAL];
	uint64_t root;
	u128 d;

	(void)k;
	if (!n || squares(v) <= (u128)(sum * sum) / n)
		return 0;
	d = squares(v) - (u128)(sum * sum) / n;
	root = isqrt((d - ((u128)(sum * sum) % n != 0)) / n) / mag;
	/* only a sum that does not fit in 64 bits makes the root so large */
	return root > INT64_MAX ? INT64_MAX : (int64_t)root;
}

/* ------------------------------------------------------------------- sorting */

static struct agg_sort_key hist_sort_key(const struct agg_kind *k, const int64_t *count)
{
	unsigned n = hist_buckets(k);
	struct agg_sort_key w = {0, 0};
	int64_t v;

	for (unsigned i = 0; i < n; i++) {
		if (!count[i])
			continue;
		v = hist_value(k, i);
		w.sum += (long double)v * (long double)count[i];
		if (!v)
			w.zero = count[i];
	}
	return w;
}

int64_t result_hist(const struct agg_kind *k, const void *value, int64_t normal)
{
	long double sum = agg_divide_real(hist_sort_key(k, value).sum, normal);

	if (sum >= (long double)INT64_MAX)
		return INT64_MAX;
	return sum <= (long double)INT64_MIN ? INT64_MIN : (int64_t)sum;
}

double agg_real(const struct agg_kind *k, const void *value)
{
	const struct agg_fn_def *fn = agg_fn_of(k);
	int64_t sum, n;

	if (!fn->mean)
		return (double)fn->result(k, value, 1);
	fn->mean(value, &sum, &n);
	return n ? (double)sum / (double)n : 0;
}

struct agg_sort_key agg_sort_key_of(const struct agg_kind *k, const void *value)
{
	const struct agg_fn_def *fn = agg_fn_of(k);

	if (!fn->hist)
		return (struct agg_sort_key){(long double)fn->result(k, value, 1), 0};
	return hist_sort_key(k, value);
}

int agg_sort_key_cmp(const struct agg_sort_key *a, const struct agg_sort_key *b)
{
	if (a->sum != b->sum)
		return a->sum > b->sum ? 1 : -1;
	return (a->zero > b->zero) - (a->zero < b->zero);
}
