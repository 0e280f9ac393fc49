/* text_table.c - writes aggregations as text. */
#include "consumer/oformat/text_table.h"

#include "base/strbuf.h"
#include "base/visible.h"
#include "agg/agg.h"
#include "agg/hist.h"
#include "consumer/aggs/aggs.h"
#include "consumer/oformat/tables.h"
#include "consumer/values/datum.h"
#include "consumer/values/hist.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "ir/program.h"

static void show_int(struct strbuf *out, int64_t v)
{
	strbuf_addc(out, ' ');
	datum_int(out, v, 16);
}

static void show_default(struct strbuf *out, const struct table *t, const struct agg_row *line)
{
	const struct agg_info *ai = table_info(t, 0);
	struct datum d = {0};

	for (uint32_t i = 0; i < ai->nkey; i++) {
		agg_key_part(ai, line->key, i, &d);
		datum_show(out, &d, DATUM_KEY_WIDTH, false, t->o->rawbytes,
			   consumer_stackindent(t->o));
	}
	for (uint32_t i = 0; i < t->nagg; i++) {
		const struct agg_state *st = &t->a->st[t->agg[i]];
		const void *v = table_value(t, line, i);

		if (agg_fn_of(&st->ai->kind)->hist)
			hist_show(out, &st->ai->kind, v, st->normal, t->o->style);
		else
			show_int(out,
				 agg_fn_of(&st->ai->kind)->result(&st->ai->kind, v, st->normal));
	}
	strbuf_addc(out, '\n');
}

/* ------------------------------------------------- a line for each key: bars, one_line_style */

/*
 * Returns the width of a key in a line of -x agghist or -x aggpack, including the space before the
 * key.
 */
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

static void show_packed_text(struct strbuf *out, const struct datum *d)
{
	struct strbuf text = {0};

	visible_add(&text, d->s, d->len);
	strbuf_addf(out, " %16s", strbuf_text(&text));
	strbuf_release(&text);
}

static void show_packed_keys(struct strbuf *out, const struct table *t, const struct agg_row *line)
{
	const struct agg_info *ai = table_info(t, 0);
	struct datum d = {0};

	for (uint32_t i = 0; i < ai->nkey; i++) {
		agg_key_part(ai, line->key, i, &d);
		if (d.kind == FIELD_STRING && !t->o->rawbytes && datum_is_text(&d))
			show_packed_text(out, &d);
		else
			datum_show(out, &d, DATUM_KEY_WIDTH, false, t->o->rawbytes,
				   consumer_stackindent(t->o));
	}
}

/* Implements -x agghist: draws the values of count() or sum() as bars on the same scale. */
static void show_bars(struct output *to, const struct table *t)
{
	const struct agg_info *ai = table_info(t, 0);
	struct strbuf *out = &to->buf;
	struct hist_scale s = {0};
	int width = packed_widths(ai);

	for (size_t i = 0; i < t->lines.row.n; i++)
		hist_scale_add(&s,
			       agg_fn_of(&ai->kind)->result(&ai->kind,
							    table_value(t, t->lines.row.v[i], 0),
							    1));
	hist_heading(out, width ? "key" : "value", width ? width : 16);
	for (size_t i = 0; i < t->lines.row.n; i++) {
		const struct agg_row *line = t->lines.row.v[i];

		show_packed_keys(out, t, line);
		strbuf_addf(out, "%*s ", width ? 0 : 16, "");
		hist_bar(out, &s,
			 agg_fn_of(&ai->kind)->result(&ai->kind, table_value(t, line, 0), 1),
			 table_normal(t, 0), t->o->style);
		output_spill(to);
	}
}

static void show_packs(struct output *to, const struct table *t)
{
	struct hist_pack p = {.kind = &table_info(t, 0)->kind};
	struct strbuf *out = &to->buf;

	for (size_t i = 0; i < t->lines.row.n; i++)
		hist_pack_add(&p, table_value(t, t->lines.row.v[i], 0));
	hist_pack_widen(&p);
	hist_pack_heading(out, &p, packed_widths(table_info(t, 0)));
	for (size_t i = 0; i < t->lines.row.n; i++) {
		show_packed_keys(out, t, t->lines.row.v[i]);
		hist_pack_show(out, &p, table_value(t, t->lines.row.v[i], 0), table_normal(t, 0),
			       t->o->style);
		output_spill(to);
	}
}

typedef void show_lines(struct output *to, const struct table *t);

/*
 * Returns the function that shows @t with one line for each key. Returns NULL if neither -x agghist
 * nor -x aggpack asks for such lines, or if the table has several aggregations or a format string.
 */
static show_lines *one_line_style(const struct table *t, const struct format *fmt)
{
	const struct agg_fn_def *fn = agg_fn_of(&table_info(t, 0)->kind);

	if (fmt || t->nagg > 1 || !t->lines.row.n)
		return NULL;
	if (t->o->agghist && fn->rate && !fn->hist)
		return show_bars;
	return t->o->aggpack && fn->hist && fn->hist->pack_label ? show_packs : NULL;
}

/* number of lines to prefetch ahead: writing so many takes longer than a cache miss */
#define AHEAD 16

/* Starts to load the row of line @i, because sorted rows lie anywhere in memory. */
static void prefetch(const struct table *t, size_t i)
{
	if (i < t->lines.row.n)
		__builtin_prefetch(t->lines.row.v[i]);
}

/* Writes the output after each line, because the text of a million keys is large. */
void text_table(struct output *to, const struct table *t, const struct format *fmt)
{
	show_lines *lines = one_line_style(t, fmt);

	if (lines)
		lines(to, t);
	for (size_t i = 0; !lines && i < t->lines.row.n; i++) {
		prefetch(t, i + AHEAD);
		if (fmt)
			table_format(t, t->lines.row.v[i], fmt, false, &to->buf);
		else
			show_default(&to->buf, t, t->lines.row.v[i]);
		output_spill(to);
	}
}
