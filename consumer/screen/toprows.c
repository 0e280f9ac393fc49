/* toprows.c - converts an aggregation to a table of -x view=top. */
#include "consumer/screen/toprows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "agg/agg.h"
#include "agg/hist.h"
#include "agg/percentile.h"
#include "agg/value.h"
#include "consumer/aggs/aggs.h"
#include "consumer/values/datum.h"
#include "consumer/values/plain.h"
#include "consumer/oformat/pictures/tracks.h"
#include "ir/program.h"

static char *key_text(const struct agg_info *ai, const uint8_t *key, uint32_t i)
{
	struct strbuf raw = {0}, text = {0};
	struct datum d = {0};

	agg_key_part(ai, key, i, &d);
	plain_datum(&raw, &d);
	strbuf_adds(&text, "");
	visible_add(&text, strbuf_text(&raw), raw.len);
	strbuf_release(&raw);
	return text.s;
}

/* ------------------------------------------------------------------------- numbers */

static double total_count(const struct agg_info *ai, const int64_t *v)
{
	double sum = 0;

	for (unsigned i = 0; i < hist_buckets(&ai->kind); i++)
		sum += (double)v[i];
	return sum;
}

/*
 * Returns the value of percentile @at, as -x percentiles would show it. If the bucket of the
 * percentile is open-ended, returns the one bound of the bucket. Returns NAN if there are no
 * values.
 */
static double percentile(const struct agg_info *ai, const int64_t *v, unsigned at)
{
	struct percentile p;

	if (!hist_percentile(&ai->kind, v, at * PERCENT, &p))
		return NAN;
	if (p.has_min && p.has_max)
		return (double)p.value;
	return p.has_min ? (double)p.min : (double)p.max;
}

/*
 * Returns the number to show: the result of the aggregating function or, for a histogram, the sum
 * of its buckets.
 */
static double result(const struct agg_state *st, const void *v)
{
	if (agg_fn_of(&st->ai->kind)->hist)
		return (double)agg_divide_real(total_count(st->ai, v), st->normal);
	return (double)agg_fn_of(&st->ai->kind)->result(&st->ai->kind, v, st->normal);
}

static void name_columns(struct toprows *t)
{
	enum agg_fn fn = t->ai->kind.fn;
	const char *name = agg_fns[fn]->name;

	if (agg_fns[fn]->hist) {
		t->column[0] = (struct topcolumn){"count", false};
		t->column[1] = (struct topcolumn){"/s", true};
		t->column[2] = (struct topcolumn){"p50", false};
		t->column[3] = (struct topcolumn){"p99", false};
		return;
	}
	t->column[0] = (struct topcolumn){name, false};
	if (agg_fns[fn]->rate)
		t->column[1] = (struct topcolumn){"/s", true};
	else if (agg_fns[fn]->sub)
		t->column[1] = (struct topcolumn){"now", false};
}

static void fill(const struct toprows *t, struct toprow *row, const struct agg_state *st,
		 const void *v, const void *growth, double seconds)
{
	row->n[0] = result(st, v);
	if (t->column[1].rate && growth && seconds > 0)
		row->n[1] = result(st, growth) / seconds;
	else if (t->column[1].name && !t->column[1].rate)
		row->n[1] = growth ? result(st, growth) : NAN;
	if (!agg_fn_of(&t->ai->kind)->hist)
		return;
	row->n[2] = percentile(t->ai, v, 50);
	row->n[3] = percentile(t->ai, v, 99);
}

uint32_t toprows_key(const struct toprows *t, unsigned i)
{
	uint32_t k = 0;

	while (t->ai->key[k].layout || i--)
		k++;
	return k;
}

void toprows_make(struct toprows *t, const struct agg_state *st, const struct aggtab *now,
		  const struct aggtab *growth, double seconds)
{
	uint64_t *room = xmalloc(st->ai->kind.value_size);

	*t = (struct toprows){.ai = st->ai};
	for (uint32_t k = 0; k < st->ai->nkey; k++)
		t->nkey += !st->ai->key[k].layout;
	name_columns(t);
	for (size_t i = 0; i < now->row.n; i++) {
		const struct agg_row *r = now->row.v[i], *g = aggtab_find(growth, r->key, r->klen);
		struct toprow row = {.key = xcalloc(t->nkey + 1, sizeof(char *))};

		for (unsigned k = 0; k < t->nkey; k++)
			row.key[k] = key_text(t->ai, r->key, toprows_key(t, k));
		fill(t, &row, st, agg_row_value(r, room, st->ai->kind.value_size),
		     g ? agg_row_val(g) : NULL, seconds);
		vec_push(&t->row, row);
	}
	xfree(room);
}

void toprows_release(struct toprows *t)
{
	for (size_t i = 0; i < t->row.n; i++) {
		for (unsigned k = 0; k < t->nkey; k++)
			xfree(t->row.v[i].key[k]);
		xfree(t->row.v[i].key);
	}
	vec_free(&t->row);
}

/* -------------------------------------------------------------------------- sorting */

struct order {
	const struct toprows *t;
	unsigned by;
	int sign;
};

static int cmp_double(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(b) - isnan(a);
	return (a > b) - (a < b);
}

static int cmp_signed(const char *a, const char *b)
{
	long long x = strtoll(a, NULL, 10), y = strtoll(b, NULL, 10);

	return (x > y) - (x < y);
}

/* Compares texts such as "10" and, for addresses, "0xffff888100000010". */
static int cmp_unsigned(const char *a, const char *b)
{
	unsigned long long x = strtoull(a, NULL, 0), y = strtoull(b, NULL, 0);

	return (x > y) - (x < y);
}

static int cmp_key(const struct toprows *t, const struct toprow *a, const struct toprow *b,
		   unsigned k)
{
	switch (t->ai->key[toprows_key(t, k)].kind) {
	case FIELD_INT:
		return cmp_signed(a->key[k], b->key[k]);
	case FIELD_UINT:
		return cmp_unsigned(a->key[k], b->key[k]);
	default:
		return strcmp(a->key[k], b->key[k]);
	}
}

static int cmp_rows(const void *x, const void *y, void *ctx)
{
	const struct toprow *a = x, *b = y;
	const struct order *o = ctx;
	unsigned nkey = o->t->nkey;
	int c = o->by < nkey ? cmp_key(o->t, a, b, o->by)
			     : -cmp_double(a->n[o->by - nkey], b->n[o->by - nkey]);

	c *= o->sign;
	for (unsigned k = 0; k < nkey && !c; k++)
		c = cmp_key(o->t, a, b, k);
	return c;
}

void toprows_sort(struct toprows *t, unsigned by, bool reverse)
{
	struct order o = {t, by, reverse ? -1 : 1};

	if (t->row.n)
		qsort_r(t->row.v, t->row.n, sizeof(*t->row.v), cmp_rows, &o);
}

unsigned toprows_columns(const struct toprows *t)
{
	unsigned n = 0;

	while (n < TOP_NUMBERS && t->column[n].name)
		n++;
	return t->nkey + n;
}

bool toprow_matches(const struct toprows *t, const struct toprow *r, const char *text)
{
	for (unsigned k = 0; k < t->nkey; k++)
		if (strcasestr(r->key[k], text))
			return true;
	return !*text;
}

/*
 * Numbers below 1e9 are written in full, and rates below 1,000 with one decimal. Larger numbers and
 * rates are shortened, as in 1.5k.
 */
void toprow_number(struct strbuf *out, const struct toprows *t, const struct toprow *r, unsigned i)
{
	double v = r->n[i];

	if (isnan(v))
		strbuf_addc(out, '-');
	else if (t->column[i].rate && fabs(v) < 1000)
		strbuf_addf(out, "%.1f", v);
	else if (!t->column[i].rate && fabs(v) < 1e9)
		strbuf_addf(out, "%.0f", v);
	else
		add_short(out, v);
}
