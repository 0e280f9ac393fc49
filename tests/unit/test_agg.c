/*
 * test_agg.c - checks the values of aggregations: how they are merged, their results, and the
 * buckets of histograms.
 */
#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "agg/hist.h"
#include "agg/percentile.h"
#include "agg/value.h"
#include "base/strbuf.h"
#include "consumer/values/hist.h"
#include "tests/check.h"

static struct agg_kind make(enum agg_fn fn, int64_t a, int64_t b, int64_t c, int64_t d)
{
	struct agg_kind ai = {.fn = fn, .param = {a, b, c, d}};

	ai.value_size = agg_fns[fn]->size(ai.param);
	return ai;
}

static int64_t result(const struct agg_kind *ai, const void *v, int64_t normal)
{
	return agg_fn_of(ai)->result(ai, v, normal);
}

static void test_table(void **state)
{
	(void)state;
	for (int i = 0; i < AGG_FN_MAX; i++) {
		assert_int_equal(agg_fns[i]->fn, i);
		assert_ptr_equal(agg_fn_find(agg_fns[i]->name), agg_fns[i]);
		assert_non_null(agg_fns[i]->size);
		assert_non_null(agg_fns[i]->merge);
		assert_non_null(agg_fns[i]->result);
		assert_true(agg_fns[i]->sub || !agg_fns[i]->rate);
	}
	assert_null(agg_fn_find("mean"));
}

/*
 * Files from other machines may hold any number. So division by 0 and INT64_MIN / -1 must not trap.
 */
static void test_division(void **state)
{
	struct agg_kind avg = make(AGG_AVG, 0, 0, 0, 0), stddev = make(AGG_STDDEV, 0, 0, 0, 0);
	int64_t least[4] = {-1, INT64_MIN, 1, 0};

	(void)state;
	assert_int_equal(agg_divide(7, 2), 3);
	assert_int_equal(agg_divide(-7, 2), -3);
	assert_int_equal(agg_divide(7, -1), -7);
	assert_int_equal(agg_divide(INT64_MIN, -1), INT64_MIN);
	assert_int_equal(agg_divide(INT64_MIN, 1), INT64_MIN);
	assert_int_equal(agg_divide(7, 0), 7);
	assert_int_equal(result(&avg, least, 1), INT64_MIN);
	assert_int_equal(result(&avg, least, 0), INT64_MIN);
	assert_int_equal(result(&stddev, least, -1), 0);
	assert_int_equal(result(&stddev, least, 0), 0);
}

static void test_extremes(void **state)
{
	struct agg_kind min = make(AGG_MIN, 0, 0, 0, 0), max = make(AGG_MAX, 0, 0, 0, 0);
	int64_t never[2] = {0, 0}, five[2] = {1, 5}, less[2] = {1, -7}, into[2] = {0, 0};

	(void)state;
	agg_fns[AGG_MIN]->merge(&min, into, never);
	assert_int_equal(result(&min, into, 1), 0);
	agg_fns[AGG_MIN]->merge(&min, into, five);
	assert_int_equal(result(&min, into, 1), 5);
	agg_fns[AGG_MIN]->merge(&min, into, never);
	agg_fns[AGG_MIN]->merge(&min, into, less);
	assert_int_equal(result(&min, into, 1), -7);
	agg_fns[AGG_MAX]->merge(&max, into, five);
	agg_fns[AGG_MAX]->merge(&max, into, less);
	assert_int_equal(result(&max, into, 1), 5);
}

static void test_avg(void **state)
{
	struct agg_kind avg = make(AGG_AVG, 0, 0, 0, 0);
	int64_t v[2] = {3, -10}, none[2] = {0, 0};

	(void)state;
	assert_int_equal(result(&avg, v, 1), -3);
	assert_int_equal(result(&avg, v, 5), 0);
	assert_int_equal(result(&avg, none, 1), 0);
}

static void add_sample(uint64_t *v, int64_t x)
{
	unsigned __int128 sq = (unsigned __int128)((__int128)x * x);
	uint64_t one[4] = {1, (uint64_t)x, (uint64_t)sq, (uint64_t)(sq >> 64)};
	struct agg_kind ai = make(AGG_STDDEV, 0, 0, 0, 0);

	agg_fns[AGG_STDDEV]->merge(&ai, v, one);
}

static void test_stddev(void **state)
{
	struct agg_kind ai = make(AGG_STDDEV, 0, 0, 0, 0);
	uint64_t v[4] = {0}, was[4];

	(void)state;
	assert_int_equal(result(&ai, v, 1), 0);
	for (int i = 0; i < 8; i++)
		add_sample(v, (int[]){2, 4, 4, 4, 5, 5, 7, 9}[i]);
	assert_int_equal(result(&ai, v, 1), 2);
	memcpy(was, v, sizeof(v));
	add_sample(v, 4000000000000);
	add_sample(v, -4000000000000);
	agg_fns[AGG_STDDEV]->sub(&ai, v, was);
	assert_int_equal(v[0], 2);
	assert_int_equal(result(&ai, v, 1), 4000000000000);
	assert_int_equal(result(&ai, v, 1000), 4000000000);
}

static void test_parameters(void **state)
{
	int64_t lq[4] = {0, 10, 0, 0}, bad[4] = {10, 10, 1, 0}, big[4] = {0, 10, 11, 0};
	int64_t ll[4] = {10, 0, 6, 20}, odd[4] = {10, 0, 6, 25}, three[4] = {10, 0, 6, 30};
	int64_t huge[4] = {10, 0, 18, 10};
	enum dtag tag;

	(void)state;
	assert_null(agg_fns[AGG_LQUANTIZE]->check(lq, 2, &tag));
	assert_int_equal(lq[2], 1);
	assert_int_equal(lquantize_levels(lq), 10);
	assert_string_equal(agg_fns[AGG_LQUANTIZE]->check(bad, 3, &tag),
			    "base (argument #1) must be less than limit (argument #2)");
	assert_int_equal(tag, D_LQUANT_MISMATCH);
	assert_non_null(agg_fns[AGG_LQUANTIZE]->check(big, 3, &tag));
	assert_null(agg_fns[AGG_LLQUANTIZE]->check(ll, 4, &tag));
	assert_non_null(agg_fns[AGG_LLQUANTIZE]->check(odd, 4, &tag));
	assert_non_null(agg_fns[AGG_LLQUANTIZE]->check(three, 4, &tag));
	assert_non_null(agg_fns[AGG_LLQUANTIZE]->check(huge, 4, &tag));
}

static void check_llquantize(const int64_t *param, int64_t v)
{
	unsigned i = llquantize_bucket(param, v), n = llquantize_buckets(param);

	assert_true(i < n);
	if (i)
		assert_true(llquantize_value(param, i) <= v);
	if (i < n - 1)
		assert_true(v < llquantize_value(param, i + 1));
}

/* Checks that every value lies between the bounds of its bucket. */
static void test_llquantize(void **state)
{
	static const int64_t params[][4] = {{10, 0, 6, 20}, {10, 0, 6, 10},  {2, 0, 20, 2},
					    {2, 0, 40, 64}, {10, 3, 5, 100}, {16, 1, 9, 64}};
	uint64_t seed = 12345;

	(void)state;
	assert_int_equal(llquantize_buckets(params[1]), 2 + 7 * 9);
	assert_int_equal(llquantize_buckets(params[0]), 2 + 9 + 6 * 18);
	for (size_t p = 0; p < sizeof(params) / sizeof(params[0]); p++) {
		unsigned n = llquantize_buckets(params[p]);

		for (int64_t v = -5; v < 5000; v++)
			check_llquantize(params[p], v);
		for (unsigned i = 1; i < n; i++) {
			assert_int_equal(llquantize_bucket(params[p],
							   llquantize_value(params[p], i)),
					 i);
			check_llquantize(params[p], llquantize_value(params[p], i) - 1);
		}
		for (int i = 0; i < 20000; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			check_llquantize(params[p], (int64_t)(seed >> (seed & 63)));
		}
	}
}

static void draws(const struct agg_kind *ai, const int64_t *count, int64_t normal, const char *want)
{
	struct strbuf out = {0};

	hist_show(&out, ai, count, normal, (struct hist_style){0});
	assert_string_equal(out.s, want);
	strbuf_release(&out);
}

#define HEAD "\n           value  ------------- Distribution ------------- count    \n"

static void test_quantize(void **state)
{
	struct agg_kind ai = make(AGG_QUANTIZE, 0, 0, 0, 0);
	int64_t c[QUANTIZE_BUCKETS] = {0};

	(void)state;
	draws(&ai, c, 1,
	      HEAD "              -1 |                                         0        \n"
		   "               0 |                                         0        \n"
		   "               1 |                                         0        \n");
	c[64 + 5] = 10;
	c[64 + 6] = 2;
	draws(&ai, c, 1,
	      HEAD "              16 |                                         0        \n"
		   "              32 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@        10       \n"
		   "              64 |@@@@@@@                                  2        \n"
		   "             128 |                                         0        \n");
	assert_int_equal(result(&ai, c, 1), 32 * 10 + 64 * 2);
	draws(&ai, c, 2,
	      HEAD "              16 |                                         0        \n"
		   "              32 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@        5        \n"
		   "              64 |@@@@@@@                                  1        \n"
		   "             128 |                                         0        \n");
}

static void test_negative_counts(void **state)
{
	struct agg_kind ai = make(AGG_QUANTIZE, 0, 0, 0, 0);
	int64_t c[QUANTIZE_BUCKETS] = {0};

	(void)state;
	c[64] = -1;
	draws(&ai, c, 1,
	      HEAD "               0                                         | 0        \n"
		   "               1 @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -1       \n"
		   "               2                                         | 0        \n");
	c[65] = 1;
	draws(&ai, c, 1,
	      HEAD "               0                     |                     0        \n"
		   "               1           @@@@@@@@@@|                     -1       \n"
		   "               2                     |@@@@@@@@@@           1        \n"
		   "               4                     |                     0        \n");
}

static void test_lquantize(void **state)
{
	struct agg_kind ai = make(AGG_LQUANTIZE, 0, 30, 10, 0);
	int64_t c[5] = {0};

	(void)state;
	draws(&ai, c, 1,
	      HEAD "             < 0 |                                         0        \n"
		   "               0 |                                         0        \n"
		   "              10 |                                         0        \n");
	c[0] = 1;
	c[4] = 1;
	draws(&ai, c, 1,
	      HEAD "             < 0 |@@@@@@@@@@@@@@@@@@@@                     1        \n"
		   "               0 |                                         0        \n"
		   "              10 |                                         0        \n"
		   "              20 |                                         0        \n"
		   "           >= 30 |@@@@@@@@@@@@@@@@@@@@                     1        \n");
	assert_int_equal(result(&ai, c, 1), 30);
}

static void test_llquantize_rows(void **state)
{
	struct agg_kind ai = make(AGG_LLQUANTIZE, 10, 1, 2, 10);
	int64_t c[32] = {0};

	(void)state;
	assert_int_equal(hist_buckets(&ai), 2 + 9 + 9);
	draws(&ai, c, 1,
	      HEAD "            < 10 |                                         0        \n"
		   "              10 |                                         0        \n");
	c[llquantize_bucket(ai.param, 950)] = 3;
	c[llquantize_bucket(ai.param, 1000)] = 1;
	draws(&ai, c, 1,
	      HEAD "             800 |                                         0        \n"
		   "             900 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n"
		   "         >= 1000 |@@@@@@@@@@                               1        \n");
}

static int cmp(const struct agg_kind *ai, const void *a, const void *b)
{
	struct agg_sort_key x = agg_sort_key_of(ai, a), y = agg_sort_key_of(ai, b);

	return agg_sort_key_cmp(&x, &y);
}

/* If two histograms have equal sums, the one with more values at zero ranks higher. */
static void test_ranking(void **state)
{
	struct agg_kind q = make(AGG_QUANTIZE, 0, 0, 0, 0), sum = make(AGG_SUM, 0, 0, 0, 0);
	int64_t a[QUANTIZE_BUCKETS] = {0}, b[QUANTIZE_BUCKETS] = {0}, x = -1, y = 1;

	(void)state;
	a[64] = 4;
	b[65] = 2;
	assert_int_equal(cmp(&q, a, b), 0);
	b[QUANTIZE_ZERO] = 1;
	assert_true(cmp(&q, a, b) < 0);
	a[64] = 5;
	assert_true(cmp(&q, a, b) > 0);
	assert_true(cmp(&sum, &x, &y) < 0);
}

/* ---------------------------------------------------------------- percentiles */

static void test_percentile_lists(void **state)
{
	static const char *const bad[] = {"",           ",",      "50,",    "x",
					  "-1",         "101",    "100.1",  "50 90",
					  "5000000000", "50,,90", "9.9999", "1.2.3"};
	struct percentiles p;
	char name[16];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(percentiles_parse(bad[i], &p));
	assert_false(percentiles_parse("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", &p));
	assert_true(percentiles_parse("50,99.9,0,100,0.125", &p));
	assert_int_equal(p.n, 5);
	assert_int_equal(p.at[1], 99900);
	assert_int_equal(p.at[4], 125);
	percentile_name(p.at[1], name, sizeof(name));
	assert_string_equal(name, "99.9");
	percentile_name(p.at[3], name, sizeof(name));
	assert_string_equal(name, "100");
	percentile_name(p.at[4], name, sizeof(name));
	assert_string_equal(name, "0.125");
}

static int cmp_numbers(const void *l, const void *r)
{
	int64_t a = *(const int64_t *)l, b = *(const int64_t *)r;

	return a < b ? -1 : a > b;
}

/*
 * Counts @v in its bucket. Finds the bucket by a search in the bounds of all buckets: the code
 * under test computes the bucket instead.
 */
static void add_to(const struct agg_kind *k, int64_t *count, int64_t v)
{
	unsigned lo = 0, hi = hist_buckets(k) - 1;

	while (lo < hi) {
		unsigned mid = (lo + hi) / 2;

		if (hist_has_max(k, mid) && v > hist_max(k, mid))
			lo = mid + 1;
		else
			hi = mid;
	}
	count[lo]++;
}

/*
 * Checks percentiles of a histogram of the @n sorted values @v. The value at the position of a
 * percentile in @v must lie between the bounds that hist_percentile() returns.
 */
static void check_percentiles(const struct agg_kind *k, const int64_t *v, size_t n)
{
	static const uint32_t at[] = {0,     1,     125,   1000,  10000, 25000, 50000,
				      75000, 90000, 99000, 99900, 99999, 100000};
	int64_t *count = calloc(1, k->value_size);
	struct percentile p;

	for (size_t i = 0; i < n; i++)
		add_to(k, count, v[i]);
	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		size_t rank = (n * at[i] + 99999) / 100000;
		int64_t want = v[rank ? rank - 1 : 0];

		assert_true(hist_percentile(k, count, at[i], &p));
		assert_true(!p.has_min || p.min <= want);
		assert_true(!p.has_max || want <= p.max);
		assert_true(p.has_min || p.has_max);
		if (p.has_min && p.has_max)
			assert_true(p.min <= p.value && p.value <= p.max);
	}
	free(count);
}

static void test_percentiles(void **state)
{
	const struct agg_kind kind[] = {make(AGG_QUANTIZE, 0, 0, 0, 0),
					make(AGG_LQUANTIZE, -100, 100000, 50, 0),
					make(AGG_LLQUANTIZE, 10, 0, 6, 20)};
	static const size_t number[] = {1, 2, 7, 100, 1000000};
	int64_t *v = malloc(1000000 * sizeof(*v));
	uint64_t r = 88172645463325252ull;

	(void)state;
	for (size_t s = 0; s < sizeof(number) / sizeof(*number); s++)
		for (int shape = 0; shape < 4; shape++) {
			for (size_t i = 0; i < number[s]; i++) {
				r ^= r << 13, r ^= r >> 7, r ^= r << 17;
				v[i] = shape == 0   ? (int64_t)(r % 100000)
				       : shape == 1 ? (int64_t)(r >> (r & 63))
				       : shape == 2 ? -(int64_t)(r % 5000)
						    : 42;
			}
			qsort(v, number[s], sizeof(*v), cmp_numbers);
			for (size_t k = 0; k < sizeof(kind) / sizeof(*kind); k++)
				check_percentiles(&kind[k], v, number[s]);
		}
	free(v);
}

/*
 * Percentiles are interpolated within their bucket. A histogram without values, or with negative
 * counts, has no percentiles.
 */
static void test_percentile_values(void **state)
{
	struct agg_kind k = make(AGG_LQUANTIZE, 0, 100, 10, 0);
	int64_t count[12] = {0};
	struct percentile p;

	(void)state;
	assert_false(hist_percentile(&k, count, 50000, &p));
	/* Ten values are in the bucket 20 to 29. Percentiles assume that they are 0.9 apart. */
	count[3] = 10;
	assert_true(hist_percentile(&k, count, 0, &p) && p.value == 20);
	assert_true(hist_percentile(&k, count, 50000, &p) && p.value == 24);
	assert_true(hist_percentile(&k, count, 100000, &p) && p.value == 28);
	assert_int_equal(p.min, 20);
	assert_int_equal(p.max, 29);
	count[0] = 10;
	count[11] = 10;
	assert_true(hist_percentile(&k, count, 33333, &p) && !p.has_min && p.max == -1);
	assert_true(hist_percentile(&k, count, 66666, &p) && p.has_min && p.has_max);
	assert_true(hist_percentile(&k, count, 66667, &p) && !p.has_max && p.min == 100);
	count[5] = -1;
	assert_false(hist_percentile(&k, count, 50000, &p));
	k = make(AGG_QUANTIZE, 0, 0, 0, 0);
	{
		int64_t wide[QUANTIZE_BUCKETS] = {0};

		wide[0] = wide[QUANTIZE_BUCKETS - 1] = INT64_MAX / 2;
		assert_true(hist_percentile(&k, wide, 50000, &p) && p.min == INT64_MIN &&
			    p.value < p.max);
		assert_true(hist_percentile(&k, wide, 100000, &p) && p.max == INT64_MAX &&
			    p.value > p.min);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_avg),
		cmocka_unit_test(test_stddev),
		cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_percentile_lists),
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_percentile_values),
		cmocka_unit_test(test_llquantize),
		cmocka_unit_test(test_quantize),
		cmocka_unit_test(test_negative_counts),
		cmocka_unit_test(test_lquantize),
		cmocka_unit_test(test_llquantize_rows),
		cmocka_unit_test(test_ranking),
		cmocka_unit_test(test_division),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
