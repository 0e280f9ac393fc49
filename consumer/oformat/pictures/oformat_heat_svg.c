/*
 * oformat_heat_svg.c - implements -x oformat=heat-svg, which draws heat maps of histograms as SVG.
 */
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "consumer/oformat/oformat.h"
#include "consumer/oformat/pictures/heat.h"
#include "consumer/values/hist.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/oformat/pictures/sheet.h"
#include "consumer/oformat/pictures/svg.h"
#include "consumer/oformat/pictures/tracks.h"

enum { COLUMNS = 375, LEVELS = 9, ROOM = SHEET_RIGHT - SHEET_LEFT, TIME_ROOM = 90 };

static const char *const colours[LEVELS + 1] = {
	"#f4f4f4", "#ffeda0", "#fed976", "#feb24c", "#fd8d3c",
	"#fc4e2a", "#e31a1c", "#bd0026", "#800026", "#40001a",
};

struct drawing {
	struct strbuf *out;
	const struct tracks *t;
	struct heat h;
	int top;
};

static double column_x(const struct drawing *d, size_t c)
{
	return SHEET_LEFT + (double)c * ROOM / (double)d->h.columns;
}

static int row_y(const struct drawing *d, unsigned row)
{
	return d->top + (int)(d->h.last - row) * SVG_LINE;
}

static void draw_cell(const struct drawing *d, unsigned row, size_t c)
{
	double n = heat_at(&d->h, row, c);
	char label[32];

	if (n <= 0)
		return;
	hist_label(&d->h.ai->kind, row, label, sizeof(label));
	strbuf_addf(d->out,
		    "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"><title>",
		    column_x(d, c), row_y(d, row), (double)ROOM / (double)d->h.columns + 0.05,
		    SVG_LINE, colours[heat_level(&d->h, LEVELS, n)]);
	svg_text(d->out, label, strlen(label));
	strbuf_adds(d->out, " at ");
	add_elapsed(d->out, tracks_rounded_start(d->t, c * d->h.per));
	strbuf_addf(d->out, ": %.0f</title></rect>\n", n);
}

static void draw_rows(const struct drawing *d)
{
	char label[32];

	strbuf_addf(d->out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
		    SHEET_LEFT, d->top, ROOM, (int)(d->h.last - d->h.first + 1) * SVG_LINE,
		    colours[0]);
	for (unsigned row = d->h.first; row <= d->h.last; row++) {
		hist_label(&d->h.ai->kind, row, label, sizeof(label));
		svg_label(d->out, SHEET_LEFT - 6, row_y(d, row) + 12, "end", "", label, 0);
		for (size_t c = 0; c < d->h.columns; c++)
			draw_cell(d, row, c);
	}
}

/* Draws the labels of the time axis, as many as fit. */
static void draw_times(const struct drawing *d)
{
	int y = row_y(d, d->h.first) + SVG_LINE;
	size_t step = 1;

	while ((double)step * ROOM / (double)d->h.columns < TIME_ROOM)
		step = step % 2 ? step * 5 : step * 2;
	for (size_t c = 0; c < d->h.columns; c += step) {
		struct strbuf text = {0};

		add_elapsed(&text, tracks_rounded_start(d->t, c * d->h.per));
		strbuf_addf(d->out,
			    "<line class=\"axis\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n",
			    column_x(d, c), y, column_x(d, c), y + 4);
		svg_label(d->out, column_x(d, c), y + 16, "start", "dim", text.s, 0);
		strbuf_release(&text);
	}
}

static void draw_legend(struct sheet *s, const struct heat *h)
{
	double x = SHEET_LEFT;

	svg_label(&s->body, SHEET_LEFT - 6, s->y + 12, "end", "dim", "count from", 0);
	for (unsigned i = 1; i <= LEVELS; i++) {
		struct strbuf text = {0};

		if (i < LEVELS && heat_level_min(h, LEVELS, i + 1) <= heat_level_min(h, LEVELS, i))
			continue;
		add_short(&text, heat_level_min(h, LEVELS, i));
		strbuf_addf(&s->body,
			    "<rect x=\"%.0f\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\"/>\n",
			    x, s->y + 1, colours[i]);
		svg_label(&s->body, x + 18, s->y + 12, "start", "", text.s, 0);
		x += 18 + (double)(text.len + 2) * 7.23;
		strbuf_release(&text);
	}
	s->y += SVG_LINE;
}

static void draw(struct sheet *s, const struct consumer_opts *o, const struct tracks *t,
		 const struct track *tr, double max)
{
	struct drawing d = {.out = &s->body, .t = t};
	struct strbuf text = {0};

	heat_make(&d.h, t, tr, COLUMNS);
	d.h.max = max;
	add_track_name(&text, d.h.ai, tr->name);
	sheet_line(s, "", text.s);
	strbuf_reset(&text);
	add_start_time(&text, t);
	strbuf_adds(&text, ", a column is ");
	add_elapsed(&text,
		    tracks_duration(t, 0, d.h.per - 1 < t->end.n ? d.h.per - 1 : t->end.n - 1));
	sheet_line(s, "dim", text.s);
	svg_label(&s->body, SHEET_LEFT - 6, s->y + 12, "end", "dim", o->unit ? o->unit : "value",
		  SHEET_LEFT - 20);
	s->y += SVG_LINE + 2;
	d.top = s->y;
	draw_rows(&d);
	draw_times(&d);
	s->y += (int)(d.h.last - d.h.first + 1) * SVG_LINE + 40;
	heat_release(&d.h);
	strbuf_release(&text);
}

static void draw_all(struct sheet *s, const struct tracks_oformat *m, uint32_t agg, double max)
{
	struct strbuf text = {0};
	size_t n;
	struct track **v = tracks_of(&m->t, agg, &n);

	for (size_t k = 0; k < n && k < HEAT_MAX_TRACKS; k++)
		draw(s, m->f.o, &m->t, v[k], max);
	strbuf_addf(&text, "%zu more keys of @%s are left out", n - HEAT_MAX_TRACKS,
		    m->f.p->agg[agg].name);
	if (n > HEAT_MAX_TRACKS)
		sheet_line(s, "dim", text.s);
	strbuf_release(&text);
	xfree(v);
}

static void end(struct oformat *f)
{
	struct tracks_oformat *m = (struct tracks_oformat *)f;
	struct heat scale = {.max = heat_max_of_all(&m->t, COLUMNS)};
	struct sheet s = {0};

	for (uint32_t i = 0; i < f->p->nagg; i++)
		if (heat_wants(f->p, i))
			draw_all(&s, m, i, scale.max);
	if (scale.max > 0)
		draw_legend(&s, &scale);
	sheet_write(&s, &f->out->buf, f->o->title);
}

const struct oformat_ops oformat_heat_svg = {
	.name = "heat-svg",
	.size = sizeof(struct tracks_oformat),
	.timed = true,
	OFORMAT_NO_RECORDS,
	.table = oformat_no_table,
	.sample = tracks_oformat_sample_buckets,
	.due = tracks_oformat_due,
	.samples = heat_wants,
	.end = end,
	.release = tracks_oformat_release,
};
