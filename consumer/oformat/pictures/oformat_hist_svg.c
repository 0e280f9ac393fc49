/*
 * oformat_hist_svg.c - implements -x oformat=hist-svg, which draws aggregations as bar charts in
 * SVG.
 *
 * A histogram, such as quantize(), has a chart for each key. Other functions have one chart with a
 * bar for each key. Each aggregation appears with the rows that were last shown, by printa() or at
 * the end.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "agg/agg.h"
#include "agg/value.h"
#include "consumer/aggs/aggs.h"
#include "consumer/oformat/tables.h"
#include "consumer/oformat/oformat.h"
#include "consumer/values/hist.h"
#include "consumer/oformat/pictures/label.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/oformat/pictures/sheet.h"
#include "consumer/oformat/pictures/svg.h"
#include "consumer/oformat/pictures/tracks.h"

/*
 * Maximum numbers of keys and of histograms shown for an aggregation. The largest values are shown.
 */
enum { KEYS = 40, HISTOGRAMS = 16 };

struct bars {
	struct oformat f;
	struct sheet *sheet; /* for each aggregation: its charts */
};

/* Scale of the bars of one chart. */
struct scale {
	double min, max; /* min <= 0 <= max */
};

static void widen(struct scale *s, int64_t v)
{
	s->min = (double)v < s->min ? (double)v : s->min;
	s->max = (double)v > s->max ? (double)v : s->max;
}

static double x_of(const struct scale *s, double v)
{
	double range = s->max - s->min;

	return SHEET_LEFT + (range > 0 ? (v - s->min) / range : 0) * (SHEET_RIGHT - SHEET_LEFT);
}

/* Draws a label, a bar from 0 to @v, and @v divided by @normal as a number. */
static void bar(struct sheet *s, const struct scale *sc, const char *label, int64_t v,
		int64_t normal)
{
	double from = x_of(sc, v < 0 ? (double)v : 0), to = x_of(sc, v > 0 ? (double)v : 0);
	char text[32];

	svg_label(&s->body, SHEET_LEFT - 6, s->y + 12, "end", "", label, SHEET_LEFT - 22);
	strbuf_addf(&s->body,
		    "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"><title>",
		    from, s->y + 1, to - from, SVG_LINE - 2, v < 0 ? "#e08050" : "#4a90d0");
	svg_text(&s->body, label, strlen(label));
	snprintf(text, sizeof(text), "%" PRId64, agg_divide(v, normal));
	strbuf_addf(&s->body, "%s%s</title></rect>\n", *label ? ": " : "", text);
	svg_label(&s->body, SHEET_RIGHT + 6, s->y + 12, "start", "", text,
		  SHEET_WIDTH - SHEET_RIGHT - 8);
	s->y += SVG_LINE;
}

static void axis(struct sheet *s, const struct scale *sc, int top)
{
	double x = x_of(sc, 0);

	strbuf_addf(&s->body,
		    "<line class=\"axis\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n", x, top,
		    x, s->y);
	s->y += 20;
}

static void heading(struct sheet *s, const struct oformat *f, const struct agg_info *ai,
		    const char *keys, const char *what)
{
	struct strbuf b = {0};

	add_track_name(&b, ai, keys);
	sheet_line(s, "", b.s);
	svg_label(&s->body, SHEET_LEFT - 6, s->y + 12, "end", "dim", what, SHEET_LEFT - 22);
	svg_label(&s->body, SHEET_RIGHT + 6, s->y + 12, "start", "dim",
		  agg_fn_counts(agg_fn_of(&ai->kind)) ? "count"
		  : f->o->unit                        ? f->o->unit
						      : "value",
		  SHEET_WIDTH - SHEET_RIGHT - 8);
	s->y += SVG_LINE + 2;
	strbuf_release(&b);
}

static void histogram(struct sheet *s, const struct oformat *f, const struct table *t, uint32_t i,
		      const struct agg_row *line)
{
	const struct agg_info *ai = table_info(t, i);
	const int64_t *v = table_value(t, line, i);
	struct hist_pack span = {.kind = &ai->kind};
	struct scale sc = {0};
	struct strbuf keys = {0};
	int top;

	strbuf_adds(&keys, "");
	label_keys(&keys, ai, line->key);
	heading(s, f, ai, keys.s, f->o->unit ? f->o->unit : "value");
	hist_pack_add(&span, v);
	top = s->y;
	for (unsigned b = span.first; span.any && b <= span.last; b++)
		widen(&sc, v[b]);
	for (unsigned b = span.first; span.any && b <= span.last; b++) {
		char label[32];

		hist_label(&ai->kind, b, label, sizeof(label));
		bar(s, &sc, label, v[b], table_normal(t, i));
	}
	axis(s, &sc, top);
	strbuf_release(&keys);
}

static int64_t value_of(const struct table *t, uint32_t i, const struct agg_row *line)
{
	const struct agg_info *ai = table_info(t, i);

	return agg_fn_of(&ai->kind)->result(&ai->kind, table_value(t, line, i), table_normal(t, i));
}

/* Draws the rows from the last to the first, because the last row has the largest value. */
static void bar_of_each(struct sheet *s, const struct oformat *f, const struct table *t, uint32_t i)
{
	size_t n = t->lines.row.n, shown = n < KEYS ? n : KEYS;
	struct scale sc = {0};
	int top;

	heading(s, f, table_info(t, i), "", table_info(t, i)->nkey ? "key" : "");
	top = s->y;
	for (size_t r = n - shown; r < n; r++)
		widen(&sc, value_of(t, i, t->lines.row.v[r]));
	for (size_t r = n; r-- > n - shown;) {
		struct strbuf keys = {0};

		strbuf_adds(&keys, "");
		label_keys(&keys, table_info(t, i), t->lines.row.v[r]->key);
		bar(s, &sc, keys.s, value_of(t, i, t->lines.row.v[r]), 1);
		strbuf_release(&keys);
	}
	axis(s, &sc, top);
}

static void draw(struct sheet *s, const struct oformat *f, const struct table *t, uint32_t i)
{
	bool hist = agg_fn_of(&table_info(t, i)->kind)->hist;
	size_t n = t->lines.row.n, most = hist ? HISTOGRAMS : KEYS;
	struct strbuf text = {0};

	for (size_t r = n; hist && r-- > (n < most ? 0 : n - most);)
		histogram(s, f, t, i, t->lines.row.v[r]);
	if (!hist && n)
		bar_of_each(s, f, t, i);
	if (n > most) {
		strbuf_addf(&text, "%zu more keys of @%s are left out", n - most,
			    table_info(t, i)->name);
		sheet_line(s, "dim", text.s);
		s->y += 20;
	}
	strbuf_release(&text);
}

static void begin(struct oformat *f)
{
	((struct bars *)f)->sheet = xcalloc(f->p->nagg + 1, sizeof(struct sheet));
}

static void table(struct oformat *f, const struct table *t, const struct format *fmt)
{
	(void)fmt;
	for (uint32_t i = 0; i < t->nagg; i++) {
		struct sheet *s = &((struct bars *)f)->sheet[t->agg[i]];

		strbuf_release(&s->body);
		*s = (struct sheet){0};
		draw(s, f, t, i);
	}
}

/* Puts the charts of all aggregations on one page, one below the other. */
static void end(struct oformat *f)
{
	struct sheet whole = {0};

	for (uint32_t i = 0; i < f->p->nagg; i++) {
		const struct sheet *s = &((struct bars *)f)->sheet[i];

		if (!s->body.len)
			continue;
		strbuf_addf(&whole.body, "<g transform=\"translate(0,%d)\">\n", whole.y);
		strbuf_add(&whole.body, s->body.s, s->body.len);
		strbuf_adds(&whole.body, "</g>\n");
		whole.y += s->y;
	}
	sheet_write(&whole, &f->out->buf, f->o->title);
}

static void release(struct oformat *f)
{
	for (uint32_t i = 0; i < f->p->nagg; i++)
		strbuf_release(&((struct bars *)f)->sheet[i].body);
	xfree(((struct bars *)f)->sheet);
}

const struct oformat_ops oformat_hist_svg = {
	.name = "hist-svg",
	.size = sizeof(struct bars),
	.begin = begin,
	OFORMAT_NO_RECORDS,
	.table = table,
	.end = end,
	.release = release,
};
