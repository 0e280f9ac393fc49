/*
 * oformat_heat.c - implements -x oformat=heat, which draws heat maps of histograms in characters.
 */
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "agg/agg.h"
#include "consumer/oformat/oformat.h"
#include "consumer/oformat/pictures/heat.h"
#include "consumer/values/hist.h"
#include "consumer/oformat/pictures/label.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/oformat/pictures/tracks.h"

enum { LABEL = 12, MARGIN = LABEL + 4, MIN_COLUMNS = 20, DEFAULT_WIDTH = 80 };

/*
 * The characters of the levels, from light to dark: without UTF-8 (ascii) and with UTF-8 (shades).
 */
static const char *const ascii[] = {" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};
static const char *const shades[] = {" ", "\xe2\x96\x91", "\xe2\x96\x92", "\xe2\x96\x93",
				     "\xe2\x96\x88"};
/* colours of the levels from yellow to red, as numbers in the palette of 256 colours */
static const unsigned char colours[] = {0, 229, 228, 220, 214, 208, 202, 196, 160, 124};

/* The characters and colours of a heat map. */
struct style {
	const char *const *mark;
	unsigned levels;
	bool colour;
};

static struct style style_of(const struct consumer_opts *o)
{
	if (o->style.utf8)
		return (struct style){shades, sizeof(shades) / sizeof(*shades) - 1, o->colour};
	return (struct style){ascii, sizeof(ascii) / sizeof(*ascii) - 1, o->colour};
}

static void add_mark(struct strbuf *out, const struct style *l, unsigned level)
{
	if (l->colour && level)
		strbuf_addf(out, "\033[38;5;%dm%s\033[m", colours[level * 9 / l->levels],
			    l->mark[level]);
	else
		strbuf_adds(out, l->mark[level]);
}

static void add_line(struct strbuf *out, const struct heat *h, const struct style *l, unsigned row)
{
	char text[32];

	hist_label(&h->ai->kind, row, text, sizeof(text));
	strbuf_addf(out, "%*s |", LABEL, text);
	for (size_t c = 0; c < h->columns; c++)
		add_mark(out, l, heat_level(h, l->levels, heat_at(h, row, c)));
	strbuf_adds(out, "|\n");
}

/* Appends the time axis: labels below the columns that they belong to, as many as fit. */
static void add_axis(struct strbuf *out, const struct heat *h, const struct tracks *t)
{
	struct strbuf marks = {0}, times = {0};
	size_t next = 0;

	for (size_t c = 0; c < h->columns; c++) {
		struct strbuf text = {0};

		if (c < next || c % 10) {
			strbuf_addc(&marks, '-');
			continue;
		}
		add_elapsed(&text, tracks_rounded_start(t, c * h->per));
		strbuf_addc(&marks, '+');
		strbuf_addf(&times, "%*s%s", (int)(c - times.len), "", text.s);
		next = c + text.len + 2;
		strbuf_release(&text);
	}
	strbuf_addf(out, "%*s +%s+\n%*s  %s\n", LABEL, "", marks.s, LABEL, "", times.s);
	strbuf_release(&marks);
	strbuf_release(&times);
}

/*
 * Appends the legend. If two levels begin at the same count, the legend has only the darker level.
 */
static void add_legend(struct strbuf *out, const struct heat *h, const struct style *l)
{
	strbuf_addf(out, "%*s  ", LABEL, "count from");
	for (unsigned i = 1; i <= l->levels; i++) {
		double min = heat_level_min(h, l->levels, i);

		if (i < l->levels && heat_level_min(h, l->levels, i + 1) <= min)
			continue;
		add_mark(out, l, i);
		strbuf_addc(out, ' ');
		add_short(out, min);
		strbuf_adds(out, i < l->levels ? "  " : "");
	}
	strbuf_adds(out, "\n");
}

/*
 * Appends the unit of the rows. The unit is untrusted, because a script can set it (#pragma D
 * option unit).
 */
static void add_unit(struct strbuf *out, const char *unit)
{
	struct strbuf text = {0};

	visible_add(&text, unit, strlen(unit));
	strbuf_addf(out, "\n%*s\n", LABEL, text.len && text.len <= LABEL ? text.s : "value");
	strbuf_release(&text);
}

static int width_of(const struct consumer_opts *o)
{
	return o->columns > 0 ? o->columns : DEFAULT_WIDTH;
}

static size_t columns_of(const struct consumer_opts *o)
{
	int room = width_of(o) - MARGIN;

	return (size_t)(room < MIN_COLUMNS ? MIN_COLUMNS : room);
}

static void add_map(struct strbuf *out, const struct consumer_opts *o, const struct tracks *t,
		    const struct track *tr, double max)
{
	struct style l = style_of(o);
	struct strbuf name = {0};
	struct heat h;

	heat_make(&h, t, tr, columns_of(o));
	h.max = max;
	add_track_name(&name, h.ai, tr->name);
	strbuf_addf(out, "\n%.*s\n", (int)label_cut(name.s, name.len, (size_t)width_of(o)), name.s);
	add_start_time(out, t);
	strbuf_adds(out, ", a column is ");
	add_elapsed(out, tracks_duration(t, 0, h.per - 1 < t->end.n ? h.per - 1 : t->end.n - 1));
	add_unit(out, o->unit ? o->unit : "value");
	for (unsigned row = h.last + 1; row-- > h.first;)
		add_line(out, &h, &l, row);
	add_axis(out, &h, t);
	add_legend(out, &h, &l);
	heat_release(&h);
	strbuf_release(&name);
}

static void end(struct oformat *f)
{
	struct tracks_oformat *m = (struct tracks_oformat *)f;
	double max = heat_max_of_all(&m->t, columns_of(f->o));

	for (uint32_t i = 0; i < f->p->nagg; i++) {
		struct track **v;
		size_t n;

		if (!heat_wants(f->p, i))
			continue;
		v = tracks_of(&m->t, i, &n);
		for (size_t k = 0; k < n && k < HEAT_MAX_TRACKS; k++)
			add_map(&f->out->buf, f->o, &m->t, v[k], max);
		if (n > HEAT_MAX_TRACKS)
			strbuf_addf(&f->out->buf, "\n%zu more keys of @%s are left out\n",
				    n - HEAT_MAX_TRACKS, f->p->agg[i].name);
		xfree(v);
	}
}

const struct oformat_ops oformat_heat = {
	.name = "heat",
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
