/*
 * hist.c - draws histograms and bars of numbers in characters, in the layout of DTrace.
 *
 * The caller has summed the buckets over all CPUs (consumer/aggs/aggs.c).
 */
#include "consumer/values/hist.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "agg/agg.h"
#include "agg/hist.h"
#include "agg/percentile.h"
#include "agg/value.h"

enum { BAR = 40 };

#define ZOOMED 0.95L /* share of the width that the longest bar takes with -x aggzoom */

/*
 * Sets the range of rows to print: all buckets between the first and the last that has a count, and
 * one more bucket on each side. Without any count, the range has hist->empty_rows rows.
 */
static void range(const struct agg_kind *k, const int64_t *count, unsigned *first, unsigned *last)
{
	const struct agg_hist *hist = agg_fn_of(k)->hist;
	unsigned n = hist_buckets(k);

	for (*first = 0; *first < n && !count[*first];)
		++*first;
	if (*first == n) {
		*first = hist->zero ? hist->zero - 1u : 0;
		*last = *first + hist->empty_rows - 1;
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

void hist_scale_add(struct hist_scale *s, int64_t v)
{
	s->pos |= v > 0;
	s->neg |= v < 0;
	s->total += magnitude(v);
	s->most = magnitude(v) > s->most ? magnitude(v) : s->most;
}

static struct hist_scale measure(const int64_t *count, unsigned first, unsigned last)
{
	struct hist_scale s = {0};

	for (unsigned i = first; i <= last; i++)
		hist_scale_add(&s, count[i]);
	return s;
}

static long double full_length(const struct hist_scale *s, struct hist_style style)
{
	return style.zoom ? s->most / ZOOMED : s->total;
}

static void repeat(struct strbuf *out, char c, int n)
{
	while (n-- > 0)
		strbuf_addc(out, c);
}

/* Draws a bar to the right for a positive count, and to the left for a negative count. */
static void bar(struct strbuf *out, const struct hist_scale *s, long double full, int64_t count)
{
	int len = s->pos && s->neg ? BAR / 2 : BAR;
	int n = full > 0 ? (int)(magnitude(count) * len / full + 0.5L) : 0;
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

/*
 * Draws a bar of block characters. U+2588 is a full block. Each of the seven characters that follow
 * is an eighth of a block narrower than the one before it.
 */
static void bar_utf8(struct strbuf *out, long double full, int64_t count)
{
	long double len = full > 0 ? magnitude(count) * BAR / full : 0;
	int whole = (int)len, eighths = (int)((len - whole) * 8);

	strbuf_addc(out, '|');
	for (int i = 0; i < whole; i++)
		strbuf_adds(out, "\xe2\x96\x88");
	if (eighths)
		strbuf_addf(out, "\xe2\x96%c", 0x88 + 8 - eighths);
	repeat(out, ' ', BAR - whole - (eighths > 0));
}

void hist_bar(struct strbuf *out, const struct hist_scale *s, int64_t v, int64_t normal,
	      struct hist_style style)
{
	if (style.utf8 && !s->neg)
		bar_utf8(out, full_length(s, style), v);
	else
		bar(out, s, full_length(s, style), v);
	strbuf_addf(out, " %-9" PRId64 "\n", agg_divide(v, normal));
}

void hist_heading(struct strbuf *out, const char *what, int width)
{
	strbuf_addf(out, "\n%*s %41s %-9s\n", width, what,
		    "------------- Distribution -------------", "count");
}

void hist_label(const struct agg_kind *k, unsigned i, char *text, size_t size)
{
	unsigned last = hist_buckets(k) - 1;
	int64_t v = hist_value(k, i);

	if (!agg_fn_of(k)->hist->open_ends || (i && i < last))
		snprintf(text, size, "%" PRId64, v);
	else if (!i) /* hist_value() of this bucket is one less than the bucket's bound */
		snprintf(text, size, "< %" PRId64, v + 1);
	else
		snprintf(text, size, ">= %" PRId64, v - 1);
}

void hist_put_percentile(struct strbuf *out, const struct percentile *p)
{
	if (!p->has_min)
		strbuf_addf(out, "< %" PRId64, p->max + 1);
	else if (!p->has_max)
		strbuf_addf(out, ">= %" PRId64, p->min);
	else if (p->min == p->max)
		strbuf_addf(out, "%" PRId64, p->value);
	else
		strbuf_addf(out, "%" PRId64 " (%" PRId64 " to %" PRId64 ")", p->value, p->min,
			    p->max);
}

static void percentile_rows(struct strbuf *out, const struct agg_kind *k, const int64_t *count,
			    const struct percentiles *at)
{
	struct percentile p;
	char name[16];

	for (uint32_t i = 0; i < at->n; i++) {
		if (!hist_percentile(k, count, at->at[i], &p))
			return;
		percentile_name(at->at[i], name, sizeof(name));
		strbuf_addf(out, "%*sp%s ", 15 - (int)strlen(name), "", name);
		hist_put_percentile(out, &p);
		strbuf_addc(out, '\n');
	}
}

void hist_show(struct strbuf *out, const struct agg_kind *k, const int64_t *count, int64_t normal,
	       struct hist_style style)
{
	struct hist_scale s;
	unsigned first, last;
	char text[32];

	range(k, count, &first, &last);
	s = measure(count, first, last);
	hist_heading(out, "value", 16);
	for (unsigned i = first; i <= last; i++) {
		hist_label(k, i, text, sizeof(text));
		strbuf_addf(out, "%16s ", text);
		hist_bar(out, &s, count[i], normal, style);
	}
	percentile_rows(out, k, count, &style.percentiles);
}

/* ---------------------------------------------------------------- in one line */

void hist_pack_add(struct hist_pack *p, const int64_t *count)
{
	unsigned n = hist_buckets(p->kind);

	for (unsigned i = 0; i < n; i++) {
		if (!count[i])
			continue;
		p->first = p->any && p->first < i ? p->first : i;
		p->last = p->any && p->last > i ? p->last : i;
		p->any = true;
	}
}

void hist_pack_widen(struct hist_pack *p)
{
	if (!p->any)
		p->first = p->last = agg_fn_of(p->kind)->hist->zero;
	p->first -= p->first > 0;
	p->last += p->last < hist_buckets(p->kind) - 1;
}

/* Writes the label of bucket @i to @text. Returns the number of columns that the label takes. */
static int end_label(const struct hist_pack *p, unsigned i, char *text, size_t size)
{
	int n, least = agg_fn_of(p->kind)->hist->pack_label;

	hist_label(p->kind, i, text, size);
	n = (int)strlen(text);
	return n < least ? least : n;
}

void hist_pack_heading(struct strbuf *out, const struct hist_pack *p, int width)
{
	char text[32];

	strbuf_addf(out, "\n%*s %*s .", width, width ? "key" : "",
		    end_label(p, p->first, text, sizeof(text)), "min");
	repeat(out, '-', (int)(p->last - p->first) + 1);
	strbuf_addf(out, ". %-*s | count\n", end_label(p, p->last, text, sizeof(text)), "max");
}

/* Appends the character for a bucket. It is a blank for 0, and is darker for a greater count. */
static void mark(struct strbuf *out, int64_t count, long double full, bool utf8)
{
	static const char dark[] = "__xxxxXX", below[] = "vvvvVV";
	size_t levels = (count < 0 ? sizeof(below) : sizeof(dark)) - 2;
	unsigned n = full > 0 ? (unsigned)(magnitude(count) * levels / full + 0.5L) : 0;

	if (!count)
		strbuf_addc(out, ' ');
	else if (count < 0)
		strbuf_addc(out, below[n]);
	else if (utf8) /* U+2581 to U+2588 fill one to eight eighths of a character from below */
		strbuf_addf(out, "\xe2\x96%c", 0x81 + (int)n);
	else
		strbuf_addc(out, dark[n]);
}

void hist_pack_show(struct strbuf *out, const struct hist_pack *p, const int64_t *count,
		    int64_t normal, struct hist_style style)
{
	struct hist_scale s = measure(count, p->first, p->last);
	uint64_t sum = 0;
	char text[32];
	int width = end_label(p, p->first, text, sizeof(text));

	strbuf_addf(out, " %*s :", width, text);
	for (unsigned i = p->first; i <= p->last; i++) {
		mark(out, count[i], full_length(&s, style), style.utf8);
		sum += (uint64_t)count[i];
	}
	width = end_label(p, p->last, text, sizeof(text));
	strbuf_addf(out, ": %-*s | %" PRId64, width, text, agg_divide((int64_t)sum, normal));
	for (uint32_t i = 0; i < style.percentiles.n; i++) {
		struct percentile one;

		if (!hist_percentile(p->kind, count, style.percentiles.at[i], &one))
			break;
		percentile_name(style.percentiles.at[i], text, sizeof(text));
		strbuf_addf(out, " p%s ", text);
		hist_put_percentile(out, &one);
	}
	strbuf_addc(out, '\n');
}
