/*
 * oformat_time_svg.c - implements -x oformat=time-svg, which draws aggregations over time as line
 * charts.
 *
 * count() and sum() are shown per second. A histogram is shown as the number of its values per
 * second. avg() and stddev() are shown for each interval, and min() and max() since the last
 * clear().
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "agg/agg.h"
#include "consumer/oformat/oformat.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/oformat/pictures/sheet.h"
#include "consumer/oformat/pictures/svg.h"
#include "consumer/oformat/pictures/tracks.h"

enum { KEYS = 8, HEIGHT = 220, ROOM = SHEET_RIGHT - SHEET_LEFT, TIME_ROOM = 90, POINTS = 200 };

static const char *const colours[KEYS] = {
	"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f",
};

/* A line chart: the tracks (tracks.h) of one aggregation on common axes. */
struct chart {
	const struct tracks *t;
	const struct agg_info *ai;
	struct strbuf *out;
	double min, max;
	int top;
};

static bool is_rate(const struct agg_info *ai)
{
	return agg_fn_of(&ai->kind)->rate;
}

/*
 * Returns the value of cell @c to draw. If the aggregating function is a rate, this is the value
 * per second.
 */
static double value(const struct chart *ch, const struct cell *c)
{
	double seconds = tracks_duration(ch->t, c->col, c->last), v = tracks_value(ch->ai, c);

	if (!is_rate(ch->ai))
		return v;
	return seconds > 0 ? v / seconds : 0;
}

static void measure(struct chart *ch, struct track *const *v, size_t n)
{
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < v[k]->cell.n; i++) {
			double y = value(ch, &v[k]->cell.v[i]);

			ch->min = y < ch->min ? y : ch->min;
			ch->max = y > ch->max ? y : ch->max;
		}
	if (ch->max <= ch->min)
		ch->max = ch->min + 1;
}

static double y_of(const struct chart *ch, double v)
{
	return ch->top + HEIGHT - (v - ch->min) / (ch->max - ch->min) * HEIGHT;
}

static double x_at(const struct chart *ch, double seconds)
{
	double all = tracks_column_start(ch->t, ch->t->end.n);

	return SHEET_LEFT + (all > 0 ? seconds / all : 0) * ROOM;
}

static void grid_values(const struct chart *ch)
{
	double step = nice_step(ch->max - ch->min, 6);

	for (double v = ceil(ch->min / step) * step; v <= ch->max * 1.000001; v += step) {
		struct strbuf text = {0};

		add_short(&text, fabs(v) < step / 1e6 ? 0 : v);
		strbuf_addf(ch->out,
			    "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n",
			    SHEET_LEFT, y_of(ch, v), SHEET_RIGHT, y_of(ch, v));
		svg_label(ch->out, SHEET_LEFT - 6, y_of(ch, v) + 4, "end", "dim", text.s, 0);
		strbuf_release(&text);
	}
}

static void grid_times(const struct chart *ch)
{
	double all = tracks_column_start(ch->t, ch->t->end.n),
	       step = nice_step(all, (double)ROOM / TIME_ROOM);

	for (double s = 0; s <= all * 1.000001; s += step) {
		struct strbuf text = {0};
		double x = x_at(ch, s);

		add_elapsed(&text, s);
		strbuf_addf(ch->out,
			    "<line class=\"axis\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n",
			    x, ch->top + HEIGHT, x, ch->top + HEIGHT + 4);
		svg_label(ch->out, x, ch->top + HEIGHT + 17, "middle", "dim", text.s, 0);
		strbuf_release(&text);
	}
}

/*
 * Draws a line with a point in the middle of each column. If a column has no cell, a rate is drawn
 * as 0, and other values leave a gap in the line.
 */
static void draw_line(const struct chart *ch, const struct track *tr, const char *colour)
{
	bool open = false;
	size_t i = 0;

	strbuf_addf(ch->out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" d=\"", colour);
	for (uint32_t c = 0; c < ch->t->end.n; c++) {
		bool have = i < tr->cell.n && tr->cell.v[i].col <= c,
		     last = have && tr->cell.v[i].last == c;
		double x = x_at(ch, (tracks_column_start(ch->t, c) +
				     tracks_column_start(ch->t, c + 1)) /
					    2);

		if (tracks_duration(ch->t, c, c) <= 0 || (!have && !is_rate(ch->ai))) {
			open = false;
			i += last;
			continue;
		}
		strbuf_addf(ch->out, "%c%.2f %.2f", open ? 'L' : 'M', x,
			    y_of(ch, have ? value(ch, &tr->cell.v[i]) : 0));
		open = true;
		i += last;
	}
	strbuf_adds(ch->out, "\"/>\n");
}

static void draw_point(const struct chart *ch, const struct track *tr, const char *colour,
		       uint32_t col, double v)
{
	if (tracks_duration(ch->t, col, col) <= 0)
		return;
	strbuf_addf(ch->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.5\" fill=\"%s\"><title>",
		    x_at(ch,
			 (tracks_column_start(ch->t, col) + tracks_column_start(ch->t, col + 1)) /
				 2),
		    y_of(ch, v), colour);
	svg_text(ch->out, tr->name, strlen(tr->name));
	strbuf_adds(ch->out, *tr->name ? " at " : "at ");
	add_elapsed(ch->out, tracks_column_start(ch->t, col));
	strbuf_addf(ch->out, ": %.10g</title></circle>\n", v);
}

/* Draws the points of a line with tooltips, unless there are so many points that they touch. */
static void draw_points(const struct chart *ch, const struct track *tr, const char *colour)
{
	for (size_t i = 0; ch->t->end.n <= POINTS && i < tr->cell.n; i++)
		for (uint32_t col = tr->cell.v[i].col; col <= tr->cell.v[i].last; col++)
			draw_point(ch, tr, colour, col, value(ch, &tr->cell.v[i]));
}

static void legend(struct sheet *s, struct track *const *v, size_t n, size_t shown)
{
	struct strbuf text = {0};

	for (size_t k = 0; k < shown; k++) {
		if (!*v[k]->name)
			continue;
		strbuf_addf(&s->body,
			    "<rect x=\"%d\" y=\"%d\" width=\"18\" height=\"4\" fill=\"%s\"/>\n",
			    SHEET_LEFT, s->y + 6, colours[k]);
		svg_label(&s->body, SHEET_LEFT + 26, s->y + 12, "start", "", v[k]->name, ROOM - 26);
		s->y += SVG_LINE;
	}
	if (n > shown) {
		strbuf_addf(&text, "%zu more keys are left out", n - shown);
		svg_label(&s->body, SHEET_LEFT + 26, s->y + 12, "start", "dim", text.s, 0);
		s->y += SVG_LINE;
	}
	s->y += 20;
	strbuf_release(&text);
}

static void heading(struct sheet *s, const struct tracks_oformat *l, const struct agg_info *ai)
{
	const char *unit = l->f.o->unit;
	struct strbuf text = {0};

	add_track_name(&text, ai, "");
	sheet_line(s, "", text.s);
	strbuf_reset(&text);
	add_start_time(&text, &l->t);
	sheet_line(s, "dim", text.s);
	strbuf_reset(&text);
	strbuf_addf(&text, "%s%s",
		    agg_fn_counts(agg_fn_of(&ai->kind)) ? "count"
		    : unit                              ? unit
							: "value",
		    is_rate(ai) ? "/s" : "");
	svg_label(&s->body, SHEET_LEFT - 6, s->y + 12, "end", "dim", text.s, SHEET_LEFT - 20);
	s->y += SVG_LINE + 10;
	strbuf_release(&text);
}

static void draw(struct sheet *s, const struct tracks_oformat *l, uint32_t agg)
{
	struct chart ch = {.t = &l->t, .ai = &l->f.p->agg[agg], .out = &s->body};
	size_t n, shown;
	struct track **v = tracks_of(&l->t, agg, &n);

	shown = n < KEYS ? n : KEYS;
	if (n) {
		heading(s, l, ch.ai);
		ch.top = s->y;
		measure(&ch, v, shown);
		grid_values(&ch);
		grid_times(&ch);
		for (size_t k = shown; k-- > 0;) {
			draw_line(&ch, v[k], colours[k]);
			draw_points(&ch, v[k], colours[k]);
		}
		s->y += HEIGHT + 28;
		legend(s, v, n, shown);
	}
	xfree(v);
}

static void end(struct oformat *f)
{
	struct sheet s = {0};

	for (uint32_t i = 0; i < f->p->nagg; i++)
		draw(&s, (struct tracks_oformat *)f, i);
	sheet_write(&s, &f->out->buf, f->o->title);
}

const struct oformat_ops oformat_time_svg = {
	.name = "time-svg",
	.size = sizeof(struct tracks_oformat),
	.timed = true,
	OFORMAT_NO_RECORDS,
	.table = oformat_no_table,
	.sample = tracks_oformat_sample_totals,
	.due = tracks_oformat_due,
	.end = end,
	.release = tracks_oformat_release,
};
