/*
 * aggshow.c - sort aggregations and print them.
 *
 * Works on snapshots (aggs.c).  A line is one key and its value in each of the
 * aggregations printed together.
 */
#include "consumer/aggshow.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "builtins/agg.h"
#include "builtins/aggval.h"
#include "consumer/aggs.h"
#include "consumer/aggtab.h"
#include "consumer/datum.h"
#include "consumer/hist.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/printf.h"
#include "ir/program.h"

/* What is printed together. */
struct table {
	struct aggs *a;
	const uint32_t *agg;
	uint32_t nagg;
	const struct consumer_opts *o;
	struct output *out;
	struct aggtab lines;  /* by key; the value: a pointer to each aggregation's value */
	const uint64_t *zero; /* of whoever lacks a key */
};

static const struct agg_info *info(const struct table *t, uint32_t i)
{
	return t->a->st[t->agg[i]].ai;
}

static const void *value(const struct table *t, const struct agg_row *line, uint32_t i)
{
	uintptr_t at = (uintptr_t)line->val[i];

	return at ? (const void *)at : t->zero;
}

/* --------------------------------------------------------------------- sorting */

static int cmp_keys(const struct table *t, const struct agg_row *x, const struct agg_row *y)
{
	const struct agg_info *ai = info(t, 0);
	uint32_t from =
	    (uint64_t)t->o->aggsortkeypos < ai->nkey ? (uint32_t)t->o->aggsortkeypos : 0;
	struct datum a = {0}, b = {0};
	int c = 0;

	for (uint32_t i = 0; i < ai->nkey && !c; i++) {
		agg_key_part(ai, x->key, (from + i) % ai->nkey, &a);
		agg_key_part(ai, y->key, (from + i) % ai->nkey, &b);
		c = datum_cmp(&a, &b);
	}
	return c;
}

/* The aggregation that aggsortpos names first, then the others in order. */
static int cmp_values(const struct table *t, const struct agg_row *x, const struct agg_row *y)
{
	uint32_t pos = (uint64_t)t->o->aggsortpos < t->nagg ? (uint32_t)t->o->aggsortpos : 0;
	int c = aggval_cmp(info(t, pos), value(t, x, pos), value(t, y, pos));

	for (uint32_t i = 0; i < t->nagg && !c; i++)
		if (i != pos)
			c = aggval_cmp(info(t, i), value(t, x, i), value(t, y, i));
	return c;
}

static int cmp_lines(const void *l, const void *r, void *ctx)
{
	const struct agg_row *x = *(struct agg_row *const *)l, *y = *(struct agg_row *const *)r;
	const struct table *t = ctx;
	int c = t->o->aggsortkey ? cmp_keys(t, x, y) : cmp_values(t, x, y);

	if (!c)
		c = t->o->aggsortkey ? cmp_values(t, x, y) : cmp_keys(t, x, y);
	return t->o->aggsortrev ? -c : c;
}

static void fill(struct table *t)
{
	uint32_t widest = 8;

	for (uint32_t i = 0; i < t->nagg; i++) {
		const struct agg_state *st = &t->a->st[t->agg[i]];

		if (st->ai->value_size > widest)
			widest = st->ai->value_size;
		for (size_t r = 0; r < st->now.row.n; r++) {
			const struct agg_row *row = st->now.row.v[r];
			struct agg_row *line =
			    aggtab_get(&t->lines, row->key, row->klen, t->nagg * sizeof(uint64_t));

			line->val[i] = (uintptr_t)row->val;
		}
	}
	t->zero = arena_alloc(&t->lines.mem, widest);
	if (t->lines.row.n)
		qsort_r(t->lines.row.v, t->lines.row.n, sizeof(*t->lines.row.v), cmp_lines, t);
}

/* -------------------------------------------------------------------- printing */

static void show_int(struct strbuf *out, int64_t v)
{
	strbuf_addc(out, ' ');
	datum_int(out, v, 16);
}

static void show_default(const struct table *t, const struct agg_row *line)
{
	const struct agg_info *ai = info(t, 0);
	struct strbuf *out = &t->out->buf;
	struct datum d = {0};

	for (uint32_t i = 0; i < ai->nkey; i++) {
		agg_key_part(ai, line->key, i, &d);
		datum_show(out, &d, DATUM_KEY_WIDTH, false, t->o->rawbytes, consumer_stackindent(t->o));
	}
	for (uint32_t i = 0; i < t->nagg; i++) {
		const struct agg_state *st = &t->a->st[t->agg[i]];
		const void *v = value(t, line, i);

		if (agg_fns[st->ai->fn].show == AGG_SHOW_HIST)
			hist_show(out, st->ai, v, st->normal, t->o->look);
		else
			show_int(out, agg_fns[st->ai->fn].result(st->ai, v, st->normal));
	}
	strbuf_addc(out, '\n');
}

static void show_formatted(const struct table *t, const struct agg_row *line,
			   const struct format *fmt)
{
	const struct agg_info *ai = info(t, 0);
	struct datum *key = xcalloc(ai->nkey + 1, sizeof(*key));
	struct fmt_agg *agg = xcalloc(t->nagg, sizeof(*agg));

	for (uint32_t i = 0; i < ai->nkey; i++)
		agg_key_part(ai, line->key, i, &key[i]);
	for (uint32_t i = 0; i < t->nagg; i++)
		agg[i] =
		    (struct fmt_agg){info(t, i), value(t, line, i), t->a->st[t->agg[i]].normal};
	fmt_show(&t->out->buf, fmt,
		 &(struct fmt_args){.arg = key, .narg = ai->nkey, .agg = agg, .nagg = t->nagg,
				    .names = consumer_names(t->o), .look = t->o->look});
	xfree(agg);
	xfree(key);
}

/* ------------------------------------------------- a line for each key: bars, packed */

/* How wide a key is in such a line, with the blank before it. */
static int packed_width(const struct field *f)
{
	if (f->kind != FIELD_INT && f->kind != FIELD_UINT)
		return 17;
	return f->size == 1 ? 4 : f->size == 2 ? 6 : f->size == 4 ? 9 : 17;
}

static int packed_widths(const struct agg_info *ai)
{
	int n = 0;

	for (uint32_t i = 0; i < ai->nkey; i++)
		n += packed_width(&ai->key[i]);
	return n;
}

static void show_packed_keys(const struct table *t, const struct agg_row *line)
{
	const struct agg_info *ai = info(t, 0);
	struct strbuf *out = &t->out->buf;
	struct datum d = {0};

	for (uint32_t i = 0; i < ai->nkey; i++) {
		agg_key_part(ai, line->key, i, &d);
		if (d.kind == FIELD_STRING && !t->o->rawbytes && datum_is_text(&d))
			strbuf_addf(out, " %*.*s", 16, (int)d.len, d.s);
		else
			datum_show(out, &d, DATUM_KEY_WIDTH, false, t->o->rawbytes, consumer_stackindent(t->o));
	}
}

/* All numbers that count() and sum() gave, as bars on one scale. */
static void show_bars(const struct table *t)
{
	const struct agg_info *ai = info(t, 0);
	struct strbuf *out = &t->out->buf;
	struct hist_scale s = {0};
	int width = packed_widths(ai);

	for (size_t i = 0; i < t->lines.row.n; i++)
		hist_measure(&s, agg_fns[ai->fn].result(ai, value(t, t->lines.row.v[i], 0), 1));
	hist_heading(out, width ? "key" : "value", width ? width : 16);
	for (size_t i = 0; i < t->lines.row.n; i++) {
		const struct agg_row *line = t->lines.row.v[i];

		show_packed_keys(t, line);
		strbuf_addf(out, "%*s ", width ? 0 : 16, "");
		hist_bar(out, &s, agg_fns[ai->fn].result(ai, value(t, line, 0), 1), t->a->st[t->agg[0]].normal,
			 t->o->look);
		output_spill(t->out);
	}
}

static void show_packs(const struct table *t)
{
	struct hist_pack p = {.ai = info(t, 0)};
	struct strbuf *out = &t->out->buf;

	for (size_t i = 0; i < t->lines.row.n; i++)
		hist_pack_measure(&p, value(t, t->lines.row.v[i], 0));
	hist_pack_widen(&p);
	hist_pack_heading(out, &p, packed_widths(p.ai));
	for (size_t i = 0; i < t->lines.row.n; i++) {
		show_packed_keys(t, t->lines.row.v[i]);
		hist_pack_show(out, &p, value(t, t->lines.row.v[i], 0), t->a->st[t->agg[0]].normal, t->o->look);
		output_spill(t->out);
	}
}

typedef void show_lines(const struct table *t);

/* For one aggregation in default rows; NULL: it is not of such a kind, or that is not wanted. */
static show_lines *packed(const struct table *t, const struct format *fmt)
{
	enum agg_fn fn = info(t, 0)->fn;

	if (fmt || t->nagg > 1 || !t->lines.row.n)
		return NULL;
	if (t->o->agghist && (fn == AGG_COUNT || fn == AGG_SUM))
		return show_bars;
	return t->o->aggpack && (fn == AGG_QUANTIZE || fn == AGG_LQUANTIZE) ? show_packs : NULL;
}

/* Prints the last snapshots.  Written by the line: the text of a million is large. */
static void show(struct table *t, const struct format *fmt)
{
	show_lines *lines;

	fill(t);
	lines = packed(t, fmt);
	if (lines)
		lines(t);
	for (size_t i = 0; !lines && i < t->lines.row.n; i++) {
		if (fmt)
			show_formatted(t, t->lines.row.v[i], fmt);
		else
			show_default(t, t->lines.row.v[i]);
		output_spill(t->out);
	}
	for (uint32_t i = 0; i < t->nagg && t->lines.row.n; i++)
		t->a->st[t->agg[i]].printed = true;
	aggtab_release(&t->lines);
}

void aggs_show(struct aggs *a, const uint32_t *agg, uint32_t nagg, const struct format *fmt,
	       const struct consumer_opts *o, struct output *out)
{
	struct table t = {.a = a, .agg = agg, .nagg = nagg, .o = o, .out = out};

	if (!fmt)
		strbuf_addc(&out->buf, '\n');
	for (uint32_t i = 0; i < nagg; i++)
		aggs_snap(a, agg[i]);
	show(&t, fmt);
}

void aggs_show_rest(struct aggs *a, const struct consumer_opts *o, struct output *out)
{
	uint32_t n = a->p->nagg;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = o->aggsortrev ? n - 1 - i : i;
		struct table t = {.a = a, .agg = &at, .nagg = 1, .o = o, .out = out};

		if (a->st[at].printed)
			continue;
		aggs_snap(a, at);
		show(&t, NULL);
	}
}
