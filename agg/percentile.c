/*
 * percentile.c - parses lists of percentiles and computes percentiles of histograms.
 */
#include "agg/percentile.h"

#include <stdio.h>
#include <string.h>

#include "agg/agg.h"
#include "agg/hist.h"

/* Products of counts and widths of buckets need more than 64 bits. */
__extension__ typedef unsigned __int128 wide;

/*
 * Parses one number such as "99.9" and moves *@s behind it. Sets @at to the number in thousandths.
 */
static bool parse_one(const char **s, uint32_t *at)
{
	uint32_t v = 0, unit = PERCENT;

	if (**s < '0' || **s > '9')
		return false;
	for (; **s >= '0' && **s <= '9' && v <= 100; ++*s)
		v = 10 * v + (uint32_t)(**s - '0');
	if (v > 100)
		return false;
	v *= PERCENT;
	if (**s == '.')
		for (++*s; **s >= '0' && **s <= '9' && unit > 1; ++*s) {
			unit /= 10;
			v += unit * (uint32_t)(**s - '0');
		}
	*at = v;
	return v <= 100 * PERCENT;
}

bool percentiles_parse(const char *text, struct percentiles *out)
{
	struct percentiles p = {0};

	for (const char *s = text;; s++) {
		if (p.n == PERCENTILES_MAX || !parse_one(&s, &p.at[p.n++]))
			return false;
		if (!*s)
			break;
		if (*s != ',')
			return false;
	}
	*out = p;
	return true;
}

void percentile_name(uint32_t at, char *text, size_t size)
{
	size_t n = (size_t)snprintf(text, size, "%u.%03u", at / PERCENT, at % PERCENT);

	while (text[n - 1] == '0')
		text[--n] = '\0';
	if (text[n - 1] == '.')
		text[n - 1] = '\0';
}

/* Returns the number of values, or 0 if a count is negative. */
static uint64_t total(const struct agg_kind *k, const int64_t *count)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < hist_buckets(k); i++) {
		if (count[i] < 0)
			return 0;
		n += (uint64_t)count[i];
	}
	return n;
}

/*
 * Divides the bucket @p into @n equal intervals. Returns the value in the middle of interval @rank,
 * counted from 1.
 */
static int64_t interpolate(const struct percentile *p, uint64_t rank, uint64_t n)
{
	uint64_t width = (uint64_t)p->max - (uint64_t)p->min;
	wide offset = (wide)width * (2 * (wide)rank - 1) / (2 * (wide)n);

	return (int64_t)((uint64_t)p->min + (uint64_t)offset);
}

bool hist_percentile(const struct agg_kind *k, const int64_t *count, uint32_t at,
		     struct percentile *out)
{
	uint64_t n = total(k, count), rank, below = 0;
	unsigned i = 0;

	if (!n)
		return false;
	rank = (uint64_t)(((wide)n * at + 100 * PERCENT - 1) / (100 * PERCENT));
	rank += !rank;
	for (; below + (uint64_t)count[i] < rank; i++)
		below += (uint64_t)count[i];
	*out = (struct percentile){.has_min = hist_has_min(k, i), .has_max = hist_has_max(k, i)};
	out->min = out->has_min ? hist_min(k, i) : 0;
	out->max = out->has_max ? hist_max(k, i) : 0;
	if (out->has_min && out->has_max)
		out->value = interpolate(out, rank - below, (uint64_t)count[i]);
	return true;
}
