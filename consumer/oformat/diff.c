/* diff.c - shows the differences between two snapshots of aggregations. */
#include "consumer/oformat/diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "agg/agg.h"
#include "agg/hist.h"
#include "agg/percentile.h"
#include "agg/value.h"
#include "consumer/aggs/file.h"
#include "consumer/aggs/aggs.h"
#include "agg/table.h"
#include "consumer/oformat/columns.h"
#include "consumer/oformat/csv.h"
#include "consumer/values/datum.h"
#include "consumer/values/hist.h"
#include "consumer/oformat/json.h"
#include "consumer/oformat/json_value.h"
#include "consumer/values/plain.h"

enum { BEFORE, AFTER, SIDES, KEY_WIDTH = 40, BAR = 16, LABEL = 32 };

/* A key of one aggregation. The key is in at least one of the two snapshots (sides). */
struct change {
	const struct agg_row *row;
	/* value on each side; if a side lacks the key, @zero of struct diff */
	const int64_t *val[SIDES];
	int64_t n[SIDES]; /* result on each side; not set for histograms */
	double by;        /* size of the change, for sorting the rows */
};

struct diff {
	const struct aggfile_agg *a[SIDES];
	const struct agg_info *ai;
	const struct percentiles *at;
	/* for each key, the address of its value on each side, or 0 if that side lacks the key */
	struct aggtab keys;
	const int64_t *zero;
	struct change *change;
	size_t n;
};

static bool is_hist(const struct diff *d)
{
	return agg_fn_of(&d->ai->kind)->hist;
}

static int64_t bucket(const struct diff *d, const struct change *c, int side, unsigned i)
{
	return hist_count(c->val[side], i, d->a[side]->normal);
}

/*
 * Returns the distance of two histograms. It is 0 if all buckets have the same share of the counts
 * on both sides, and 1 if no bucket is used on both sides.
 */
static double distance(const struct diff *d, const struct change *c)
{
	unsigned n = hist_buckets(&d->ai->kind);
	double sum[SIDES] = {0}, apart = 0;

	for (unsigned i = 0; i < n; i++)
		for (int s = 0; s < SIDES; s++)
			sum[s] += fabs((double)bucket(d, c, s, i));
	if (sum[BEFORE] == 0 || sum[AFTER] == 0)
		return 1;
	for (unsigned i = 0; i < n; i++)
		apart += fabs(fabs((double)bucket(d, c, BEFORE, i)) / sum[BEFORE] -
			      fabs((double)bucket(d, c, AFTER, i)) / sum[AFTER]);
	return apart / 2;
}

static bool rank(const struct diff *d, struct change *c)
{
	if (is_hist(d)) {
		c->by = distance(d, c);
		return memcmp(c->val[BEFORE], c->val[AFTER], d->ai->kind.value_size) != 0;
	}
	for (int s = 0; s < SIDES; s++)
		c->n[s] = agg_fn_of(&d->ai->kind)->result(&d->ai->kind, c->val[s], d->a[s]->normal);
	c->by = fabs((double)c->n[AFTER] - (double)c->n[BEFORE]);
	return c->n[BEFORE] != c->n[AFTER] ||
	       (c->val[BEFORE] == d->zero) != (c->val[AFTER] == d->zero);
}

static int cmp_change(const void *l, const void *r, void *ctx)
{
	const struct change *a = l, *b = r;
	const struct diff *d = ctx;

	if (a->by != b->by)
		return a->by < b->by ? 1 : -1;
	return agg_key_cmp(d->ai, a->row->key, b->row->key);
}

static void find_changes(struct diff *d)
{
	for (int s = 0; s < SIDES; s++)
		for (size_t i = 0; i < d->a[s]->nrow; i++) {
			const struct aggfile_row *row = &d->a[s]->row[i];
			uint64_t *val = agg_row_val(aggtab_get(&d->keys, row->key, row->klen,
							       SIDES * sizeof(uint64_t)));

			/*
			 * A file stores symbols as text, and two addresses can have the same
			 * symbol. So a file can have a key twice; merge the values.
			 */
			if (val[s])
				agg_fn_of(&d->ai->kind)
					->merge(&d->ai->kind, (void *)(uintptr_t)val[s], row->val);
			else
				val[s] = (uintptr_t)row->val;
		}
	d->change = xcalloc(d->keys.row.n + 1, sizeof(*d->change));
	for (size_t i = 0; i < d->keys.row.n; i++) {
		struct change *c = &d->change[d->n];
		const uint64_t *val;

		c->row = d->keys.row.v[i];
		val = agg_row_val(c->row);
		for (int s = 0; s < SIDES; s++)
			c->val[s] = val[s] ? (const int64_t *)(uintptr_t)val[s] : d->zero;
		d->n += rank(d, c);
	}
	qsort_r(d->change, d->n, sizeof(*d->change), cmp_change, d);
}

/* -------------------------------------------------------------------------- text */

static void put_key(struct strbuf *out, const struct diff *d, const struct change *c)
{
	size_t from;
	struct datum part = {0};
	struct strbuf text = {0};

	strbuf_adds(out, "  ");
	from = out->len;
	for (uint32_t i = 0; i < d->ai->nkey; i++) {
		if (i)
			strbuf_adds(out, ", ");
		agg_key_part(d->ai, c->row->key, i, &part);
		strbuf_reset(&text);
		plain_datum(&text, &part);
		visible_add(out, strbuf_text(&text), text.len);
	}
	strbuf_release(&text);
	datum_release(&part);
	strbuf_addf(out, "%*s",
		    out->len - from < KEY_WIDTH ? (int)(KEY_WIDTH - (out->len - from)) : 0, "");
}

static void put_number(struct strbuf *out, const struct diff *d, const struct change *c, int side)
{
	if (c->val[side] == d->zero)
		strbuf_addf(out, " %12s", "-");
	else
		strbuf_addf(out, " %12" PRId64, c->n[side]);
}

/*
 * Returns the change of the result. If the change does not fit in 64 bits, returns INT64_MIN or
 * INT64_MAX.
 */
static int64_t change_of(const struct change *c)
{
	int64_t by;

	if (__builtin_sub_overflow(c->n[AFTER], c->n[BEFORE], &by))
		by = c->n[AFTER] < c->n[BEFORE] ? INT64_MIN : INT64_MAX;
	return by;
}

static void put_numbers(struct strbuf *out, const struct diff *d, const struct change *c)
{
	put_key(out, d, c);
	put_number(out, d, c, BEFORE);
	put_number(out, d, c, AFTER);
	strbuf_addf(out, " %+12" PRId64, change_of(c));
	if (c->val[BEFORE] == d->zero)
		strbuf_adds(out, "       new");
	else if (c->val[AFTER] == d->zero)
		strbuf_adds(out, "      gone");
	else if (c->n[BEFORE])
		strbuf_addf(out, " %+8.1f%%",
			    100.0 * ((double)c->n[AFTER] - (double)c->n[BEFORE]) /
				    fabs((double)c->n[BEFORE]));
	strbuf_addc(out, '\n');
}

static double most(const struct diff *d, const struct change *c, int side)
{
	double max = 1;

	for (unsigned i = 0; i < hist_buckets(&d->ai->kind); i++) {
		double n = fabs((double)bucket(d, c, side, i));

		max = n > max ? n : max;
	}
	return max;
}

static void put_bar(struct strbuf *out, int64_t n, double max)
{
	char bar[BAR + 1] = "";
	size_t len = (size_t)(fabs((double)n) / max * BAR + 0.5);

	memset(bar, '@', len > BAR ? BAR : len);
	strbuf_addf(out, " |%-*s %9" PRId64, BAR, bar, n);
}

static bool is_empty(const struct diff *d, const struct change *c, unsigned i)
{
	return !bucket(d, c, BEFORE, i) && !bucket(d, c, AFTER, i);
}

/*
 * Sets *@p to the percentile @at on side @side. Returns false if the histogram has no values on
 * that side.
 */
static bool percentile(const struct diff *d, const struct change *c, int side, uint32_t at,
		       struct percentile *p)
{
	*p = (struct percentile){0};
	return hist_percentile(&d->ai->kind, c->val[side], at, p);
}

static void put_percentiles(struct strbuf *out, const struct diff *d, const struct change *c)
{
	struct strbuf side = {0};
	struct percentile p;
	char name[LABEL];

	for (uint32_t i = 0; i < d->at->n; i++) {
		percentile_name(d->at->at[i], name, sizeof(name));
		strbuf_addf(out, "%*sp%s", 15 - (int)strlen(name), "", name);
		for (int s = 0; s < SIDES; s++) {
			strbuf_reset(&side);
			if (percentile(d, c, s, d->at->at[i], &p))
				hist_put_percentile(&side, &p);
			else
				strbuf_addc(&side, '-');
			strbuf_addf(out, s == AFTER ? "  %s" : "  %-26s", side.s);
		}
		strbuf_addc(out, '\n');
	}
	strbuf_release(&side);
}

static void put_hist(struct strbuf *out, const struct diff *d, const struct change *c)
{
	double max[SIDES] = {most(d, c, BEFORE), most(d, c, AFTER)};
	unsigned from = 0, to = hist_buckets(&d->ai->kind);

	while (from < to && is_empty(d, c, from))
		from++;
	while (to > from && is_empty(d, c, to - 1))
		to--;
	put_key(out, d, c);
	strbuf_addf(out, " distance %.3f\n", c->by);
	strbuf_addf(out, "%16s  %-*s %9s  %-*s %9s\n", "value", BAR, "before", "count", BAR,
		    "after", "count");
	for (unsigned i = from; i < to; i++) {
		char label[LABEL];

		hist_label(&d->ai->kind, i, label, sizeof(label));
		strbuf_addf(out, "%16s", label);
		put_bar(out, bucket(d, c, BEFORE, i), max[BEFORE]);
		put_bar(out, bucket(d, c, AFTER, i), max[AFTER]);
		strbuf_addc(out, '\n');
	}
	put_percentiles(out, d, c);
	strbuf_addc(out, '\n');
}

static void put_heading(struct strbuf *out, const struct diff *d)
{
	strbuf_addf(out, "%s@%s: %s", out->len ? "\n" : "", d->ai->name,
		    agg_fn_of(&d->ai->kind)->name);
	if (is_hist(d))
		strbuf_addc(out, '\n');
	else
		strbuf_addf(out, "%*s %12s %12s %12s\n",
			    (int)(KEY_WIDTH - 1 - (int)strlen(d->ai->name) -
				  (int)strlen(agg_fn_of(&d->ai->kind)->name)),
			    "", "before", "after", "change");
}

static void show_text(struct strbuf *out, const struct diff *d)
{
	put_heading(out, d);
	for (size_t i = 0; i < d->n; i++)
		(is_hist(d) ? put_hist : put_numbers)(out, d, &d->change[i]);
}

static bool has_key(const struct diff *d, const struct change *c, int side)
{
	return c->val[side] != d->zero;
}

/* -------------------------------------------------------------------------- JSON */

static const char *const side_name[SIDES] = {"before", "after"};

static void json_bucket(struct json *j, const struct diff *d, const struct change *c, unsigned i)
{
	json_open(j, '{');
	json_put_int_or_null(j, "min", hist_has_min(&d->ai->kind, i), hist_min(&d->ai->kind, i));
	json_put_int_or_null(j, "max", hist_has_max(&d->ai->kind, i), hist_max(&d->ai->kind, i));
	for (int s = 0; s < SIDES; s++)
		json_put_int(j, side_name[s], bucket(d, c, s, i));
	json_close(j, '}');
}

static void json_percentiles(struct json *j, const struct diff *d, const struct change *c)
{
	struct percentile p;

	json_name(j, "percentiles");
	json_open(j, '[');
	for (uint32_t i = 0; i < d->at->n; i++) {
		json_open(j, '{');
		json_put_percent(j, d->at->at[i]);
		for (int s = 0; s < SIDES; s++) {
			bool known = percentile(d, c, s, d->at->at[i], &p);

			json_name(j, side_name[s]);
			if (!known) {
				json_null(j);
				continue;
			}
			json_open(j, '{');
			json_put_percentile(j, &p);
			json_close(j, '}');
		}
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void json_hist(struct json *j, const struct diff *d, const struct change *c)
{
	json_name(j, "distance");
	json_double(j, c->by);
	json_name(j, "buckets");
	json_open(j, '[');
	for (unsigned i = 0; i < hist_buckets(&d->ai->kind); i++)
		if (!is_empty(d, c, i))
			json_bucket(j, d, c, i);
	json_close(j, ']');
	if (d->at->n)
		json_percentiles(j, d, c);
}

static void json_numbers(struct json *j, const struct diff *d, const struct change *c)
{
	for (int s = 0; s < SIDES; s++)
		json_put_int_or_null(j, side_name[s], has_key(d, c, s), c->n[s]);
	json_put_int(j, "change", change_of(c));
}

/* Writes an object for each key, each on a line of its own. */
static void show_json(struct strbuf *out, const struct diff *d)
{
	for (size_t i = 0; i < d->n; i++) {
		struct json j = {out, false};

		json_open(&j, '{');
		json_put_string(&j, "type", "difference");
		json_put_string(&j, "name", d->ai->name);
		json_put_string(&j, "function", agg_fn_of(&d->ai->kind)->name);
		json_keys(&j, d->ai, d->change[i].row->key);
		(is_hist(d) ? json_hist : json_numbers)(&j, d, &d->change[i]);
		json_close(&j, '}');
		strbuf_addc(out, '\n');
	}
}

/* --------------------------------------------------------------------------- CSV */

static void csv_hist_heading(struct strbuf *h, const struct diff *d)
{
	const char *name = d->ai->name;
	char p[LABEL];

	strbuf_addf(h, "@%s_distance,@%s_min,@%s_max,@%s_before,@%s_after", name, name, name, name,
		    name);
	for (int s = 0; s < SIDES; s++)
		for (uint32_t i = 0; i < d->at->n; i++) {
			percentile_name(d->at->at[i], p, sizeof(p));
			strbuf_addf(h, ",@%s_%s_p%s,@%s_%s_p%s_min,@%s_%s_p%s_max", name,
				    side_name[s], p, name, side_name[s], p, name, side_name[s], p);
		}
}

static void csv_heading(struct strbuf *out, const struct diff *d)
{
	const char *name = d->ai->name;
	struct strbuf h = {0};

	for (uint32_t i = 0; i < d->ai->nkey; i++) {
		if (d->ai->key[i].layout)
			continue;
		key_name(&h, d->ai, i);
		strbuf_addc(&h, ',');
	}
	if (is_hist(d))
		csv_hist_heading(&h, d);
	else
		strbuf_addf(&h, "@%s_before,@%s_after,@%s_change", name, name, name);
	strbuf_addf(out, "%s%s\n", out->len ? "\n" : "", h.s);
	strbuf_release(&h);
}

static void csv_bucket(struct csv_row *row, const struct diff *d, const struct change *c,
		       unsigned i, const struct csv_row *percentiles)
{
	struct strbuf by = {0};

	strbuf_addf(&by, "%.3f", c->by);
	csv_take(row, &by);
	csv_int_or_empty(row, hist_has_min(&d->ai->kind, i), hist_min(&d->ai->kind, i));
	csv_int_or_empty(row, hist_has_max(&d->ai->kind, i), hist_max(&d->ai->kind, i));
	for (int s = 0; s < SIDES; s++)
		csv_int(row, bucket(d, c, s, i));
	csv_cells(row, percentiles);
}

/*
 * Writes a row for one key. If the aggregation is a histogram, the row is for bucket @i of the key,
 * and @percentiles are the cells of all its percentiles.
 */
static void csv_row(struct strbuf *out, const struct diff *d, const struct change *c, unsigned i,
		    const struct csv_row *percentiles)
{
	struct csv_row row = {0};
	struct datum part = {0};

	for (uint32_t k = 0; k < d->ai->nkey; k++) {
		if (d->ai->key[k].layout)
			continue;
		agg_key_part(d->ai, c->row->key, k, &part);
		csv_datum(&row, &part);
	}
	if (is_hist(d)) {
		csv_bucket(&row, d, c, i, percentiles);
	} else {
		for (int s = 0; s < SIDES; s++)
			csv_int_or_empty(&row, has_key(d, c, s), c->n[s]);
		csv_int(&row, change_of(c));
	}
	strbuf_add(out, row.b.s, row.b.len);
	strbuf_addc(out, '\n');
	strbuf_release(&row.b);
	datum_release(&part);
}

/* Writes a table: a row for each key, or for each used bucket of a histogram. */
static void show_csv(struct strbuf *out, const struct diff *d)
{
	unsigned n = is_hist(d) ? hist_buckets(&d->ai->kind) : 1;

	csv_heading(out, d);
	for (size_t k = 0; k < d->n; k++) {
		const struct change *c = &d->change[k];
		struct csv_row percentiles = {0};

		for (int s = 0; is_hist(d) && s < SIDES; s++)
			csv_percentiles(&percentiles, &d->ai->kind, c->val[s], d->at);
		for (unsigned i = 0; i < n; i++)
			if (!is_hist(d) || !is_empty(d, c, i))
				csv_row(out, d, c, i, &percentiles);
		strbuf_release(&percentiles.b);
	}
}

/* --------------------------------------------------------------------------- all */

struct aggdiff_form {
	const char *name;
	/* shows an aggregation that has at least one change */
	void (*show)(struct strbuf *out, const struct diff *d);
};

const struct aggdiff_form *aggdiff_form(const char *name)
{
	static const struct aggdiff_form forms[] = {{"text", show_text},
						    {"json", show_json},
						    {"csv", show_csv}};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (!strcmp(forms[i].name, name))
			return &forms[i];
	return NULL;
}

static void show(struct strbuf *out, const struct aggdiff_form *form,
		 const struct aggfile_agg *before, const struct aggfile_agg *after,
		 const struct percentiles *at)
{
	struct diff d = {.a = {before, after}, .ai = &before->info, .at = at};
	int64_t *zero = xcalloc(1, before->info.kind.value_size);

	d.zero = zero;
	find_changes(&d);
	if (d.n)
		form->show(out, &d);
	aggtab_release(&d.keys);
	xfree(d.change);
	xfree(zero);
}

void aggdiff_show(struct strbuf *out, const struct aggdiff_form *form, const struct aggfile *before,
		  const struct aggfile *after, const struct percentiles *at)
{
	for (uint32_t i = 0; i < before->nagg; i++)
		show(out, form, &before->agg[i], &after->agg[i], at);
}
