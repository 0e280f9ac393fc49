/*
 * prom.c - writes aggregations as metrics, in the Prometheus text exposition format.
 *
 * The metrics of an aggregation (a family) are named dtrace_NAME, followed by a suffix for the
 * function. Keys are labels with the same names as columns in CSV output. All rows of a histogram
 * have the same bounds, and bounds are added but never removed, so that Prometheus can add up rows.
 */
#include "consumer/oformat/prom.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "agg/agg.h"
#include "agg/hist.h"
#include "agg/percentile.h"
#include "agg/value.h"
#include "consumer/aggs/aggs.h"
#include "consumer/oformat/tables.h"
#include "consumer/oformat/columns.h"
#include "consumer/values/datum.h"
#include "consumer/values/hist.h"
#include "consumer/loss.h"
#include "consumer/options.h"
#include "consumer/values/plain.h"
#include "ir/program.h"

struct prom {
	struct aggs *a;
	struct loss *l;
	struct hist_pack *span; /* for each aggregation: the range of buckets used so far */
};

struct prom *prom_new(struct aggs *a, struct loss *l)
{
	struct prom *p = xcalloc(1, sizeof(*p));

	*p = (struct prom){a, l, xcalloc(a->p->nagg + 1, sizeof(*p->span))};
	return p;
}

void prom_free(struct prom *p)
{
	if (p)
		xfree(p->span);
	xfree(p);
}

/* ---------------------------------------------------------------------- samples */

/*
 * Appends one line of a label's value. The value must be UTF-8, so other bytes and invisible
 * characters become escapes such as \x1b.
 */
static void add_line(struct strbuf *out, const char *s, size_t n)
{
	struct strbuf text = {0};

	visible_add(&text, s, n);
	for (size_t i = 0; i < text.len; i++) {
		if (text.s[i] == '"' || text.s[i] == '\\')
			strbuf_addc(out, '\\');
		strbuf_addc(out, text.s[i]);
	}
	strbuf_release(&text);
}

static void add_label(struct strbuf *out, const char *s, size_t n)
{
	const char *end = s + n, *line;

	for (line = s; (s = memchr(line, '\n', (size_t)(end - line))); line = s + 1) {
		add_line(out, line, (size_t)(s - line));
		strbuf_adds(out, "\\n"); /* \n is an escape of the Prometheus format */
	}
	add_line(out, line, (size_t)(end - line));
}

/* Appends the labels of a row, such as tcps_raddr="a",key2="1". */
static void add_keys(struct strbuf *out, const struct agg_info *ai, const struct agg_row *line)
{
	struct datum d = {0};

	for (uint32_t i = 0; i < ai->nkey; i++) {
		struct strbuf text = {0};

		if (ai->key[i].layout)
			continue;
		agg_key_part(ai, line->key, i, &d);
		plain_datum(&text, &d);
		strbuf_adds(out, out->len ? "," : "");
		key_name(out, ai, i);
		strbuf_adds(out, "=\"");
		add_label(out, strbuf_text(&text), text.len);
		strbuf_addc(out, '"');
		strbuf_release(&text);
	}
}

/*
 * Makes the labels of a row unique, because Prometheus refuses all metrics if two rows have equal
 * labels. The second row with the same labels gets the label duplicate="2", the third
 * duplicate="3", and so on.
 *
 * Different keys can have equal labels. For example, one process has the name \x1b, four
 * characters. The name of another process is the escape byte, which is shown as \x1b, too.
 */
static void add_duplicate_label(struct strbuf *keys, struct intern *seen)
{
	size_t len = keys->len;

	for (unsigned i = 2;; i++) {
		size_t n = seen->n;

		intern_n(seen, keys->s, keys->len);
		if (seen->n > n)
			return;
		keys->len = len;
		strbuf_addf(keys, "%sduplicate=\"%u\"", len ? "," : "", i);
	}
}

/*
 * Returns the name that an aggregation has in metrics. In the program, an aggregation without a
 * name is called "_".
 */
static const char *name_of(const struct agg_info *ai)
{
	return ai->name[0] == '_' && !ai->name[1] ? "unnamed" : ai->name;
}

/* Appends a line with one value. @keys has its labels, or is "" if there are none. */
static void sample(struct strbuf *out, const struct agg_info *ai, const char *suffix,
		   const char *keys, int64_t v)
{
	strbuf_addf(out, "dtrace_%s%s", name_of(ai), suffix);
	if (*keys)
		strbuf_addf(out, "{%s}", keys);
	strbuf_addf(out, " %" PRId64 "\n", v);
}

typedef void show_fn(struct prom *p, struct strbuf *out, const struct table *t,
		     const struct agg_row *line, const char *keys);

static show_fn show_number, show_mean, show_buckets;

/* A metric type of Prometheus, and the function that writes the values of a row. */
struct kind {
	const char *type;
	show_fn *show;
};

/* Returns the metric type for an aggregating function. */
static const struct kind *kind_of(const struct agg_fn_def *fn)
{
	static const struct kind histogram = {"histogram", show_buckets},
				 summary = {"summary", show_mean},
				 counter = {"counter", show_number}, gauge = {"gauge", show_number};

	if (fn->hist)
		return &histogram;
	if (fn->mean)
		return &summary;
	return fn->monotonic ? &counter : &gauge;
}

static const char *suffix_of(const struct agg_info *ai)
{
	const char *suffix = agg_fn_of(&ai->kind)->metric;

	return suffix ? suffix : "";
}

static void show_number(struct prom *p, struct strbuf *out, const struct table *t,
			const struct agg_row *line, const char *keys)
{
	const struct agg_info *ai = table_info(t, 0);

	(void)p;
	sample(out, ai, suffix_of(ai), keys,
	       agg_fn_of(&ai->kind)->result(&ai->kind, table_value(t, line, 0),
					    table_normal(t, 0)));
}

/*
 * Writes the sum and the count of a mean. Prometheus computes the mean over any period from both.
 */
static void show_mean(struct prom *p, struct strbuf *out, const struct table *t,
		      const struct agg_row *line, const char *keys)
{
	const struct agg_info *ai = table_info(t, 0);
	int64_t sum, n;

	(void)p;
	agg_fn_of(&ai->kind)->mean(table_value(t, line, 0), &sum, &n);
	sample(out, ai, "_sum", keys, agg_divide(sum, table_normal(t, 0)));
	sample(out, ai, "_count", keys, n);
}

static void bucket(struct strbuf *out, const struct agg_info *ai, const char *keys, const char *le,
		   int64_t v)
{
	strbuf_addf(out, "dtrace_%s_bucket{%s%sle=\"%s\"} %" PRId64 "\n", name_of(ai), keys,
		    *keys ? "," : "", le, v);
}

/*
 * Writes the counts of a histogram. As Prometheus requires, each count includes the counts of all
 * lower buckets. There is no _sum, because dtrace does not know the sum of the values.
 */
static void show_buckets(struct prom *p, struct strbuf *out, const struct table *t,
			 const struct agg_row *line, const char *keys)
{
	const struct agg_info *ai = table_info(t, 0);
	const struct hist_pack *s = &p->span[ai->index];
	const int64_t *count = table_value(t, line, 0);
	uint64_t sum = 0;
	char le[24];

	for (unsigned i = s->first; s->any && i <= s->last; i++) {
		sum += (uint64_t)hist_count(count, i, table_normal(t, 0));
		snprintf(le, sizeof(le), "%" PRId64, hist_max(&ai->kind, i));
		if (hist_has_max(&ai->kind, i))
			bucket(out, ai, keys, le, (int64_t)sum);
	}
	bucket(out, ai, keys, "+Inf", (int64_t)sum);
	sample(out, ai, "_count", keys, (int64_t)sum);
}

/* Writes the percentiles @at. A percentile in an open-ended bucket is written as infinite. */
static void show_percentiles(struct strbuf *out, const struct table *t, const struct agg_row *line,
			     const char *keys, const struct percentiles *at)
{
	const struct agg_info *ai = table_info(t, 0);
	struct percentile p;
	char name[16];

	for (uint32_t i = 0; i < at->n; i++) {
		if (!hist_percentile(&ai->kind, table_value(t, line, 0), at->at[i], &p))
			return;
		percentile_name(at->at[i], name, sizeof(name));
		strbuf_addf(out, "dtrace_%s_percentile{%s%spercent=\"%s\"} ", name_of(ai), keys,
			    *keys ? "," : "", name);
		if (p.has_min && p.has_max)
			strbuf_addf(out, "%" PRId64 "\n", p.value);
		else
			strbuf_adds(out, p.has_min ? "+Inf\n" : "-Inf\n");
	}
}

/* --------------------------------------------------------------------- families */

static void heading(struct strbuf *out, const char *name, const char *suffix, const char *type,
		    const char *help)
{
	strbuf_addf(out, "# HELP dtrace_%s%s %s\n# TYPE dtrace_%s%s %s\n", name, suffix, help, name,
		    suffix, type);
}

static void family(struct prom *p, uint32_t i, uint64_t keys, const struct percentiles *at,
		   struct strbuf *out, uint64_t *nrow)
{
	static const struct consumer_opts plainly;
	struct table t = {.a = p->a, .agg = &i, .nagg = 1, .o = &plainly};
	const struct agg_info *ai = &p->a->p->agg[i];
	const struct kind *k = kind_of(agg_fn_of(&ai->kind));
	struct strbuf text = {0}, more = {0};
	struct arena names;
	struct intern seen;

	arena_init(&names);
	intern_init(&seen, &names);
	p->span[i].kind = &ai->kind;
	aggs_snap(p->a, i);
	table_fill(&t);
	strbuf_addf(&text, "%s() of @%s", agg_fn_of(&ai->kind)->name, ai->name);
	heading(out, name_of(ai), suffix_of(ai), k->type, text.s);
	*nrow = t.lines.row.n;
	for (size_t r = 0; agg_fn_of(&ai->kind)->hist && r < *nrow; r++)
		hist_pack_add(&p->span[i], table_value(&t, t.lines.row.v[r], 0));
	/* the rows with the largest values are last */
	for (uint64_t r = 0; r < *nrow && (!keys || r < keys); r++) {
		const struct agg_row *line = t.lines.row.v[*nrow - 1 - r];

		strbuf_reset(&text);
		add_keys(&text, ai, line);
		add_duplicate_label(&text, &seen);
		k->show(p, out, &t, line, text.s);
		if (agg_fn_of(&ai->kind)->hist)
			show_percentiles(&more, &t, line, text.s, at);
	}
	if (more.len) {
		heading(out, name_of(ai), "_percentile", "gauge",
			"percentiles, interpolated within buckets");
		strbuf_add(out, more.s, more.len);
	}
	strbuf_release(&more);
	intern_release(&seen);
	arena_release(&names);
	strbuf_release(&text);
	aggtab_release(&t.lines);
}

/* -------------------------------------------------------------------------- run */

static void add_loss(void *ctx, const char *kind, uint64_t n)
{
	strbuf_addf(ctx, "dtrace_run_lost_total{kind=\"%s\"} %" PRIu64 "\n", kind, n);
}

static void total(struct strbuf *out, const char *name, const char *help, uint64_t n)
{
	heading(out, name, "_total", "counter", help);
	strbuf_addf(out, "dtrace_%s_total %" PRIu64 "\n", name, n);
}

/* Appends the number of rows of each aggregation, and the number of rows that are left out. */
static void add_rows(const struct prom *p, const uint64_t *nrow, uint64_t keys, struct strbuf *out)
{
	heading(out, "run_keys", "", "gauge", "keys of each aggregation");
	for (uint32_t i = 0; i < p->a->p->nagg; i++)
		strbuf_addf(out, "dtrace_run_keys{aggregation=\"%s\"} %" PRIu64 "\n",
			    p->a->p->agg[i].name, nrow[i]);
	heading(out, "run_keys_omitted", "", "gauge",
		"keys of the smallest values, which are not shown (-x promkeys)");
	for (uint32_t i = 0; i < p->a->p->nagg; i++)
		strbuf_addf(out, "dtrace_run_keys_omitted{aggregation=\"%s\"} %" PRIu64 "\n",
			    p->a->p->agg[i].name, keys && nrow[i] > keys ? nrow[i] - keys : 0);
}

void prom_write(struct prom *p, uint64_t keys, const struct percentiles *at, struct strbuf *out)
{
	uint64_t *nrow = xcalloc(p->a->p->nagg + 1, sizeof(*nrow));
	struct strbuf lost = {0};

	for (uint32_t i = 0; i < p->a->p->nagg; i++)
		family(p, i, keys, at, out, &nrow[i]);
	add_rows(p, nrow, keys, out);
	/* this also updates @p->l, which has the totals below */
	loss_totals(p->l, add_loss, &lost);
	heading(out, "run_lost", "_total", "counter", "events and data lost, by kind");
	strbuf_add(out, lost.s, lost.len);
	total(out, "run_events", "firings of probes", p->l->events);
	total(out, "run_records", "records", p->l->records);
	total(out, "run_faults", "faults", p->l->faults);
	strbuf_release(&lost);
	xfree(nrow);
}
