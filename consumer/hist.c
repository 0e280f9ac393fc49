/*
 * hist.c - draw quantize(), lquantize() and llquantize() results.
 *
 * Takes bucket counts already merged over CPUs (aggs.c does that) and writes
 * the rows DTrace users know.  Knows nothing of maps, keys or sorting.
 */
#include "consumer/hist.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/strbuf.h"
#include "builtins/agg.h"
#include "builtins/aggval.h"

enum { BAR = 40 };

#define ZOOMED 0.95L /* of the full length: the longest bar with aggzoom */

/* What the bars of one histogram have in common. */
struct scale {
	long double total; /* of the counts' magnitudes: a bar of full length */
	long double most;  /* the largest of them */
	bool pos, neg;
};

/* The rows to show: one empty bucket on each side of those with counts. */
static void range(const struct agg_info *ai, const int64_t *count, unsigned *first, unsigned *last)
{
	unsigned n = hist_buckets(ai);

	for (*first = 0; *first < n && !count[*first];)
		++*first;
	if (*first == n) {
		*first = ai->fn == AGG_QUANTIZE ? QUANTIZE_ZERO - 1 : 0;
		*last = *first + (ai->fn == AGG_LLQUANTIZE ? 1 : 2);
		return;
	}
	for (*last = n - 1; !count[*last];)
		--*last;
	*first -= *first > 0;
	*last += *last < n - 1;
}

static long double magnitude(int64_t v)
{
	return v < 0 ? -(long double)v : (long double)v;
}

static struct scale measure(const int64_t *count, unsigned first, unsigned last)
{
	struct scale s = {0};

	for (unsigned i = first; i <= last; i++) {
		s.pos |= count[i] > 0;
		s.neg |= count[i] < 0;
		s.total += magnitude(count[i]);
		s.most = magnitude(count[i]) > s.most ? magnitude(count[i]) : s.most;
	}
	return s;
}

static void repeat(struct strbuf *out, char c, int n)
{
	while (n-- > 0)
		strbuf_addc(out, c);
}

/* Bars grow to the right for positive counts, to the left for negative ones. */
static void bar(struct strbuf *out, const struct scale *s, int64_t count)
{
	int len = s->pos && s->neg ? BAR / 2 : BAR;
	int n = s->total > 0 ? (int)(magnitude(count) * len / s->total + 0.5L) : 0;
	bool left = s->neg && (count < 0 || !s->pos);

	if (s->neg) {
		repeat(out, ' ', left ? len - n : len);
		repeat(out, '@', left ? n : 0);
	}
	strbuf_addc(out, '|');
	if (s->pos || !s->neg) {
		repeat(out, '@', left ? 0 : n);
		repeat(out, ' ', left ? len : len - n);
	}
}

/* What stands in front of bucket @i: its lower bound, or what the end rows hold. */
static void label(const struct agg_info *ai, unsigned i, char *text, size_t size)
{
	unsigned last = hist_buckets(ai) - 1;
	int64_t v = hist_value(ai, i);

	if (ai->fn == AGG_QUANTIZE || (i && i < last))
		snprintf(text, size, "%" PRId64, v);
	else if (!i) /* ranked as the value below it */
		snprintf(text, size, "< %" PRId64, v + 1);
	else
		snprintf(text, size, ">= %" PRId64, v - 1);
}

void hist_show(struct strbuf *out, const struct agg_info *ai, const int64_t *count, int64_t normal,
	       bool zoom)
{
	unsigned first, last;
	struct scale s;
	char text[32];

	range(ai, count, &first, &last);
	s = measure(count, first, last);
	if (zoom)
		s.total = s.most / ZOOMED;
	strbuf_addf(out, "\n%16s %41s %-9s\n", "value", "------------- Distribution -------------",
		    "count");
	for (unsigned i = first; i <= last; i++) {
		label(ai, i, text, sizeof(text));
		strbuf_addf(out, "%16s ", text);
		bar(out, &s, count[i]);
		strbuf_addf(out, " %-9" PRId64 "\n", count[i] / normal);
	}
}
