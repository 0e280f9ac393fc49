/* tracks.c - collects samples of aggregations over time. */
#include "consumer/oformat/pictures/tracks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "agg/agg.h"
#include "agg/hist.h"
#include "agg/value.h"
#include "consumer/oformat/pictures/label.h"
#include "consumer/aggs/series.h"
#include "ir/program.h"

/* maximum number of columns; even, because halve() merges pairs; larger than pictures need */
#define COLUMNS_MAX 1024

/* Initializes @t without tracks. @time is the start of tracing in ns since 1970. @t borrows @p. */
static void tracks_begin(struct tracks *t, const struct program *p, uint64_t time)
{
	t->p = p;
	t->begin = time;
	t->per = 1;
	arena_init(&t->mem);
	t->key = xcalloc(p->nagg + 1, sizeof(*t->key));
}

static void tracks_release(struct tracks *t)
{
	for (size_t i = 0; i < t->track.n; i++) {
		vec_free(&t->track.v[i]->cell);
		xfree(t->track.v[i]->name);
		xfree(t->track.v[i]);
	}
	for (uint32_t i = 0; t->key && i < t->p->nagg; i++)
		aggtab_release(&t->key[i]);
	vec_free(&t->track);
	vec_free(&t->end);
	arena_release(&t->mem);
	xfree(t->key);
	*t = (struct tracks){0};
}

/* ----------------------------------------------------------------------- collecting */

static struct track *track_of(struct tracks *t, uint32_t agg, const struct agg_row *r)
{
	uint64_t *slot = agg_row_val(aggtab_get(&t->key[agg], r->key, r->klen, sizeof(uint64_t)));
	struct strbuf name = {0};
	struct track *tr;

	if (*slot)
		return t->track.v[*slot - 1];
	tr = xcalloc(1, sizeof(*tr));
	strbuf_adds(&name, "");
	label_keys(&name, &t->p->agg[agg], r->key);
	tr->agg = agg;
	tr->name = name.s;
	vec_push(&t->track, tr);
	*slot = t->track.n;
	return tr;
}

double tracks_value(const struct agg_info *ai, const struct cell *c)
{
	return c->val ? agg_real(&ai->kind, c->val) : c->n;
}

/*
 * Returns the weight of a cell, for sorting the tracks. The weight of a mean is its sum, so that a
 * frequent key comes before a rare one.
 */
static double weight(const struct agg_info *ai, const struct cell *c)
{
	const struct agg_fn_def *fn = agg_fn_of(&ai->kind);
	int64_t sum, n;

	if (!c->val || !fn->mean)
		return fabs(tracks_value(ai, c));
	fn->mean(c->val, &sum, &n);
	return fabs((double)sum);
}

/* Merges @c, which is from a later sample, into the cell @to of the same column and row. */
static void join(const struct agg_info *ai, struct cell *to, const struct cell *c)
{
	if (c->val)
		agg_fn_of(&ai->kind)->merge(&ai->kind, to->val, c->val);
	to->n += c->n;
}

static void push_cell(struct tracks *t, struct track *tr, struct cell c)
{
	if (c.val && !c.owned)
		c.val = arena_memdup(&t->mem, c.val, t->p->agg[tr->agg].kind.value_size);
	c.owned = true;
	vec_push(&tr->cell, c);
}

static bool same_value(const struct agg_info *ai, const struct cell *a, const struct cell *b)
{
	return !memcmp(a->val, b->val, ai->kind.value_size);
}

/*
 * Handles a cell @c that begins in the column in which the last cell of track @tr ends. Merges the
 * values of this column into the track's cell, and removes the column from @c.
 */
static void merge_overlap(struct tracks *t, struct track *tr, struct cell *c)
{
	const struct agg_info *ai = &t->p->agg[tr->agg];
	struct cell *was = &tr->cell.v[tr->cell.n - 1], both = *was;

	both.col = both.last = c->col++;
	both.val = arena_memdup(&t->mem, was->val, ai->kind.value_size);
	join(ai, &both, c);
	if (same_value(ai, &both, was))
		return;
	if (was->col == both.col)
		*was = both;
	else {
		was->last--;
		push_cell(t, tr, both);
	}
}

/*
 * Adds a cell of min() or max(). These functions have a value in every sample. So equal values of
 * successive columns share one cell, and time without changes costs no memory.
 */
static void add_min_or_max(struct tracks *t, struct track *tr, struct cell c)
{
	const struct agg_info *ai = &t->p->agg[tr->agg];
	struct cell *was = tr->cell.n ? &tr->cell.v[tr->cell.n - 1] : NULL;

	if (was && was->last >= c.col && same_value(ai, was, &c)) {
		was->last = c.last > was->last ? c.last : was->last;
		return;
	}
	if (was && was->last >= c.col)
		merge_overlap(t, tr, &c);
	if (c.col > c.last)
		return;
	was = tr->cell.n ? &tr->cell.v[tr->cell.n - 1] : NULL;
	if (was && was->last + 1 == c.col && same_value(ai, was, &c))
		was->last = c.last;
	else
		push_cell(t, tr, c);
}

static void add_cell(struct tracks *t, struct track *tr, struct cell c)
{
	const struct agg_info *ai = &t->p->agg[tr->agg];

	if (!agg_fn_of(&ai->kind)->sub) {
		add_min_or_max(t, tr, c);
		return;
	}
	for (size_t i = tr->cell.n; i-- > 0 && tr->cell.v[i].col == c.col;)
		if (tr->cell.v[i].row == c.row) {
			join(ai, &tr->cell.v[i], &c);
			return;
		}
	push_cell(t, tr, c);
}

static void add_buckets(struct tracks *t, struct track *tr, const int64_t *v, uint32_t col,
			bool rows)
{
	unsigned n = hist_buckets(&t->p->agg[tr->agg].kind);

	for (unsigned i = 0; i < n; i++)
		if (v[i])
			add_cell(t, tr,
				 (struct cell){.col = col,
					       .last = col,
					       .row = rows ? i : 0,
					       .n = (double)v[i]});
}

static void add_row(struct tracks *t, uint32_t agg, const struct agg_row *r, bool rows)
{
	const struct agg_info *ai = &t->p->agg[agg];
	const int64_t *v = (const int64_t *)agg_row_val(r);
	uint32_t col = (uint32_t)t->end.n - 1;
	struct track *tr = track_of(t, agg, r);

	if (agg_fn_of(&ai->kind)->hist)
		add_buckets(t, tr, v, col, rows);
	else
		add_cell(t, tr, (struct cell){.col = col, .last = col, .val = agg_row_val(r)});
}

/*
 * Halves the column numbers of all cells. Two neighbouring cells can now be in the same column, so
 * each cell is added again.
 */
static void halve_track(struct tracks *t, struct track *tr)
{
	struct track was = *tr;

	memset(&tr->cell, 0, sizeof(tr->cell));
	for (size_t i = 0; i < was.cell.n; i++) {
		was.cell.v[i].col /= 2;
		was.cell.v[i].last /= 2;
		add_cell(t, tr, was.cell.v[i]);
	}
	vec_free(&was.cell);
}

static void halve(struct tracks *t)
{
	for (size_t i = 0; i < t->track.n; i++)
		halve_track(t, t->track.v[i]);
	for (size_t i = 0; i < t->end.n / 2; i++)
		t->end.v[i] = t->end.v[2 * i + 1];
	t->end.n /= 2;
	t->per *= 2;
	t->samples = t->per;
}

/*
 * Counts a sample in the last column, or adds a column for it. @time is the time of the sample in
 * ns since 1970. The final sample of a run can have the same time as the sample before it. Both
 * then count as one sample.
 */
static void count_sample(struct tracks *t, uint64_t time)
{
	bool same = t->end.n && time <= t->end.v[t->end.n - 1];

	if (t->end.n == COLUMNS_MAX && t->samples == t->per && !same)
		halve(t);
	if (!t->end.n || (t->samples == t->per && !same)) {
		vec_push(&t->end, time);
		t->samples = 0;
	}
	t->samples += !same;
	t->end.v[t->end.n - 1] = time;
}

/*
 * Returns false if the sample at @time can be skipped, because a later sample of the same column
 * will include its growth. If so, this function counts the skipped sample.
 */
static bool tracks_due(struct tracks *t, uint64_t time)
{
	unsigned per = t->per;

	if (t->end.n && time <= t->end.v[t->end.n - 1])
		return true;
	if (t->end.n == COLUMNS_MAX && t->samples == per)
		per *= 2;
	if ((t->samples == t->per ? 0 : t->samples) + 1 >= per)
		return true;
	count_sample(t, time);
	return false;
}

/*
 * Adds the growth of all aggregations up to @time. If @rows is set, each bucket of a histogram
 * becomes a cell. Otherwise the sum of all buckets becomes one cell.
 */
static void tracks_add(struct tracks *t, const struct series *s, uint64_t time, bool rows)
{
	count_sample(t, time);
	for (uint32_t i = 0; i < t->p->nagg; i++) {
		const struct aggtab *grown = series_growth(s, i);

		for (size_t r = 0; r < grown->row.n; r++)
			add_row(t, i, grown->row.v[r], rows);
	}
}

/* -------------------------------------------------------------------------- reading */

struct ranked {
	struct track *track;
	double total;
};

static int cmp_tracks(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	return a->total != b->total ? (a->total < b->total) - (a->total > b->total)
				    : strcmp(a->track->name, b->track->name);
}

static double total_of(const struct agg_info *ai, const struct track *tr)
{
	double sum = 0;

	for (size_t i = 0; i < tr->cell.n; i++)
		sum += weight(ai, &tr->cell.v[i]) * (tr->cell.v[i].last - tr->cell.v[i].col + 1);
	return sum;
}

struct track **tracks_of(const struct tracks *t, uint32_t agg, size_t *n)
{
	struct track **v = xcalloc(t->track.n + 1, sizeof(struct track *));
	struct ranked *r = xcalloc(t->track.n + 1, sizeof(*r));

	*n = 0;
	for (size_t i = 0; i < t->track.n; i++)
		if (t->track.v[i]->agg == agg)
			r[(*n)++] = (struct ranked){t->track.v[i],
						    total_of(&t->p->agg[agg], t->track.v[i])};
	qsort(r, *n, sizeof(*r), cmp_tracks);
	for (size_t i = 0; i < *n; i++)
		v[i] = r[i].track;
	xfree(r);
	return v;
}

double tracks_column_start(const struct tracks *t, size_t col)
{
	uint64_t at = col ? t->end.v[col - 1] : t->begin;

	return at > t->begin ? (double)(at - t->begin) / 1e9 : 0;
}

/* Returns the largest power of ten that is at most @v. @v must be positive. */
static double power_of_ten(double v)
{
	double unit = 1;

	while (unit * 10 <= v)
		unit *= 10;
	while (unit > v)
		unit /= 10;
	return unit;
}

double tracks_rounded_start(const struct tracks *t, size_t col)
{
	double each = tracks_column_start(t, t->end.n) / (double)t->end.n, unit;

	if (!(each > 0))
		return 0;
	unit = power_of_ten(each * 1.02);
	/* 250 ms needs two digits: round to 10 ms, not to 100 ms */
	if (fabs(each / unit - floor(each / unit + 0.5)) > 0.02 * each / unit)
		unit /= 10;
	return floor(tracks_column_start(t, col) / unit + 0.5) * unit;
}

double tracks_duration(const struct tracks *t, size_t from, size_t to)
{
	return tracks_column_start(t, to + 1) - tracks_column_start(t, from);
}

/* ---------------------------------------------------------------------------- texts */

void add_elapsed(struct strbuf *out, double seconds)
{
	long s = (long)(seconds + 0.5);

	if (seconds > 0 && seconds < 0.9995)
		strbuf_addf(out, "%.3gms", seconds * 1e3);
	else if (seconds < 60)
		strbuf_addf(out, "%.3gs", seconds);
	else if (s < 3600)
		strbuf_addf(out, s % 60 ? "%ldm%02lds" : "%ldm", s / 60, s % 60);
	else
		strbuf_addf(out, s / 60 % 60 ? "%ldh%02ldm" : "%ldh", s / 3600, s / 60 % 60);
}

static void add_time(struct strbuf *out, uint64_t time, const char *format)
{
	time_t s = (time_t)(time / 1000000000);
	char text[64] = "";
	struct tm tm;

	if (localtime_r(&s, &tm))
		strftime(text, sizeof(text), format, &tm);
	strbuf_adds(out, text);
}

void add_time_of_day(struct strbuf *out, uint64_t time)
{
	add_time(out, time, "%Y-%m-%d %H:%M:%S");
}

void add_start_time(struct strbuf *out, const struct tracks *t)
{
	add_time(out, t->begin, "from %Y-%m-%d %H:%M:%S %Z");
}

void add_short(struct strbuf *out, double v)
{
	static const char unit[] = " kMGTPE";
	double m = fabs(v);
	unsigned i = 0;

	while (m >= 999.5 && unit[i + 1]) {
		m /= 1000;
		i++;
	}
	strbuf_addf(out, m < 99.95 && m != floor(m) ? "%s%.3g" : "%s%.0f", v < 0 ? "-" : "", m);
	if (i)
		strbuf_addc(out, unit[i]);
}

void add_track_name(struct strbuf *out, const struct agg_info *ai, const char *keys)
{
	strbuf_addf(out, "@%s", strcmp(ai->name, "_") ? ai->name : "");
	if (*keys)
		strbuf_addf(out, "[%s]", keys);
	strbuf_addf(out, " = %s()", agg_fn_of(&ai->kind)->name);
}

double nice_step(double range, double most)
{
	static const double by[] = {1, 2, 5, 10};
	double raw = range / most, unit;

	if (!(raw > 0))
		return 1;
	unit = power_of_ten(raw);
	for (size_t i = 0; i < sizeof(by) / sizeof(*by); i++)
		if (raw <= unit * by[i] * 1.0000001)
			return unit * by[i];
	return unit * 10;
}

static void sample(struct oformat *f, const struct series *s, uint64_t time, bool rows)
{
	struct tracks *t = &((struct tracks_oformat *)f)->t;

	if (s)
		tracks_add(t, s, time, rows);
	else
		tracks_begin(t, f->p, time);
}

bool tracks_oformat_due(struct oformat *f, uint64_t time)
{
	return tracks_due(&((struct tracks_oformat *)f)->t, time);
}

void tracks_oformat_sample_buckets(struct oformat *f, const struct series *s, uint64_t time)
{
	sample(f, s, time, true);
}

void tracks_oformat_sample_totals(struct oformat *f, const struct series *s, uint64_t time)
{
	sample(f, s, time, false);
}

void tracks_oformat_release(struct oformat *f)
{
	tracks_release(&((struct tracks_oformat *)f)->t);
}
