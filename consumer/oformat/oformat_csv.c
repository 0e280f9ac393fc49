/*
 * oformat_csv.c - implements -x oformat=csv, which prints a row for each record and for each key of
 * an aggregation.
 *
 * A table begins with a heading. If the next row has other columns, an empty line and a new heading
 * come first. Cells are quoted as RFC 4180 says.
 */
#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "agg/agg.h"
#include "agg/hist.h"
#include "agg/percentile.h"
#include "agg/value.h"
#include "base/xalloc.h"
#include "consumer/aggs/aggs.h"
#include "consumer/oformat/tables.h"
#include "consumer/oformat/columns.h"
#include "consumer/oformat/csv.h"
#include "consumer/values/datum.h"
#include "consumer/oformat/oformat.h"
#include "consumer/oformat/json.h"
#include "consumer/oformat/json_value.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/values/plain.h"
#include "consumer/values/printf.h"
#include "engine/source.h"

struct csv {
	struct oformat f;
	struct strbuf shape; /* heading of the current table */
	struct csv_row row;  /* row of the current record */
	struct strbuf names; /* heading for @row */
	uint32_t nvalue;     /* number of data cells in @row */
	struct oformat_record r;
	bool open;
	bool continued; /* @row has the rest of a record; another table interrupted the record */
};

static struct csv *csv_of(struct oformat *f)
{
	return (struct csv *)f;
}

static void release(struct oformat *f)
{
	strbuf_release(&csv_of(f)->shape);
	strbuf_release(&csv_of(f)->row.b);
	strbuf_release(&csv_of(f)->names);
}

/* Writes a row. If the previous row had another heading, writes the new heading first. */
static void put(struct csv *c, const struct strbuf *heading, const struct csv_row *row)
{
	struct strbuf *out = &c->f.out->buf;

	if (!c->shape.s || strcmp(c->shape.s, heading->s)) {
		strbuf_addf(out, "%s%s\n", c->shape.s ? "\n" : "", heading->s);
		strbuf_reset(&c->shape);
		strbuf_adds(&c->shape, heading->s);
	}
	strbuf_add(out, row->b.s ? row->b.s : "", row->b.len);
	strbuf_addc(out, '\n');
}

/* ---------------------------------------------------------------------- records */

static void place_cells(struct csv_row *row, const struct oformat *f, uint64_t time, uint32_t cpu,
			uint32_t probe)
{
	const struct probe_info *pi = &f->p->probe[probe];

	csv_uint(row, time);
	csv_uint(row, cpu);
	csv_text(row, pi->prov);
	csv_text(row, pi->mod);
	csv_text(row, pi->func);
	csv_text(row, pi->name);
}

static void begin_row(struct csv *c)
{
	c->nvalue = 0;
	strbuf_reset(&c->row.b);
	c->row.n = 0;
	place_cells(&c->row, &c->f, c->r.time, c->r.cpu, c->r.probe);
	strbuf_reset(&c->names);
	strbuf_adds(&c->names, COLUMNS_PLACE);
}

static void record(struct oformat *f, const struct oformat_record *r)
{
	struct csv *c = csv_of(f);

	c->r = *r;
	c->open = true;
	c->continued = false;
	begin_row(c);
}

/*
 * Writes the data that the record has so far as a row. With -q, a record without data has no row.
 * The rest of an interrupted record has a row only if it has data.
 */
static void end_row(struct oformat *f)
{
	struct csv *c = csv_of(f);

	if (c->open && (c->nvalue || !(f->o->quiet || c->continued)))
		put(c, &c->names, &c->row);
}

static void record_end(struct oformat *f)
{
	end_row(f);
	csv_of(f)->open = false;
}

/*
 * Ends the row in the middle of a record, because another table follows. The rest of the record
 * begins a new row.
 */
static void interrupt_record(struct oformat *f)
{
	struct csv *c = csv_of(f);

	if (!c->open)
		return;
	end_row(f);
	c->continued = true;
	begin_row(c);
}

static struct csv_row *next_value(struct oformat *f, const char *label)
{
	struct csv *c = csv_of(f);

	c->nvalue++;
	columns_add(&c->names, label, c->nvalue);
	return &c->row;
}

static void value(struct oformat *f, const struct datum *d)
{
	csv_datum(next_value(f, d->label), d);
}

static void bytes(struct oformat *f, const char *s, size_t n)
{
	struct strbuf b = {0};

	plain_bytes(&b, s, n);
	csv_take(next_value(f, NULL), &b);
}

static void shape(struct oformat *f, const struct shape *s, const char *at)
{
	struct strbuf b = {0};
	struct json j = {&b, false};

	json_shape(&j, s, at, !f->src->recorded);
	csv_take(next_value(f, NULL), &b);
}

static void string(struct oformat *f, const struct shape *s, const struct datum *d)
{
	(void)s;
	value(f, d);
}

/*
 * Adds a column for each argument that is data. A message without arguments becomes a single
 * column.
 */
static void message(struct oformat *f, const struct format *fmt, const struct fmt_args *args)
{
	struct strbuf b = {0};
	const struct datum *d;
	uint32_t at = 0;

	while ((d = columns_argument(args, fmt, &at)))
		value(f, d);
	if (args->narg)
		return;
	fmt_show(&b, fmt, args);
	csv_take(next_value(f, "message"), &b);
}

static void packet(struct oformat *f, const struct packet_slot *pk)
{
	bytes(f, (const char *)(pk + 1), pk->len);
}

/* ----------------------------------------------------------------- aggregations */

static bool is_hist(const struct table *t, uint32_t i)
{
	return agg_fn_of(&table_info(t, i)->kind)->hist;
}

static void keys(struct csv_row *row, const struct table *t, const struct agg_row *line)
{
	const struct agg_info *ai = table_info(t, 0);
	struct datum d = {0};

	for (uint32_t i = 0; i < ai->nkey; i++) {
		agg_key_part(ai, line->key, i, &d);
		if (!ai->key[i].layout)
			csv_datum(row, &d);
	}
}

static void key_column(struct strbuf *h, const struct agg_info *ai, uint32_t i)
{
	if (ai->key[i].layout)
		return;
	strbuf_adds(h, h->len ? "," : "");
	key_name(h, ai, i);
}

static void hist_columns(struct strbuf *h, const char *sep, const char *name,
			 const struct percentiles *at)
{
	char p[16];

	strbuf_addf(h, "%s@%s_min,@%s_max,@%s_count", sep, name, name, name);
	for (uint32_t i = 0; i < at->n; i++) {
		percentile_name(at->at[i], p, sizeof(p));
		strbuf_addf(h, ",@%s_p%s,@%s_p%s_min,@%s_p%s_max", name, p, name, p, name, p);
	}
}

static void heading(struct strbuf *h, const struct table *t)
{
	const struct agg_info *ai = table_info(t, 0);

	for (uint32_t i = 0; i < ai->nkey; i++)
		key_column(h, ai, i);
	for (uint32_t i = 0; i < t->nagg; i++) {
		const char *name = table_info(t, i)->name, *sep = h->len ? "," : "";

		if (is_hist(t, i))
			hist_columns(h, sep, name, &t->o->style.percentiles);
		else
			strbuf_addf(h, "%s@%s", sep, name);
	}
}

/*
 * Appends the cells of aggregation @i. A histogram has the cells of bucket @b and the cells in
 * @percentiles. Other functions have one cell, which is repeated in the row of each bucket.
 */
static void agg_cells(struct csv_row *row, const struct table *t, const struct agg_row *line,
		      uint32_t i, unsigned b, const struct csv_row *percentiles)
{
	const struct agg_info *ai = table_info(t, i);
	const int64_t *v = table_value(t, line, i), normal = table_normal(t, i);
	bool held;

	if (!is_hist(t, i)) {
		csv_int(row, agg_fn_of(&ai->kind)->result(&ai->kind, v, normal));
		return;
	}
	held = b < hist_buckets(&ai->kind) && v[b];
	csv_int_or_empty(row, held && hist_has_min(&ai->kind, b),
			 held ? hist_min(&ai->kind, b) : 0);
	csv_int_or_empty(row, held && hist_has_max(&ai->kind, b),
			 held ? hist_max(&ai->kind, b) : 0);
	csv_int_or_empty(row, held, held ? hist_count(v, b, normal) : 0);
	csv_cells(row, percentiles);
}

/*
 * Writes a row for the key of @line, with bucket @b of its histograms. @percentiles[i] has the
 * cells for the percentiles of aggregation i.
 */
static void put_row(struct csv *c, const struct strbuf *h, const struct table *t,
		    const struct agg_row *line, unsigned b, const struct csv_row *percentiles)
{
	struct csv_row row = {0};

	keys(&row, t, line);
	for (uint32_t i = 0; i < t->nagg; i++)
		agg_cells(&row, t, line, i, b, &percentiles[i]);
	put(c, h, &row);
	strbuf_release(&row.b);
	output_spill(c->f.out);
}

/* Returns whether bucket @b of any histogram in the line has a count other than 0. */
static bool is_bucket_used(const struct table *t, const struct agg_row *line, unsigned b)
{
	for (uint32_t i = 0; i < t->nagg; i++)
		if (is_hist(t, i) && b < hist_buckets(&table_info(t, i)->kind) &&
		    ((const int64_t *)table_value(t, line, i))[b])
			return true;
	return false;
}

static unsigned widest(const struct table *t)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < t->nagg; i++)
		if (is_hist(t, i) && hist_buckets(&table_info(t, i)->kind) > n)
			n = hist_buckets(&table_info(t, i)->kind);
	return n;
}

/*
 * Writes the rows of a key. If @n is 0, because no aggregation is a histogram, writes one row.
 * Otherwise writes a row for each of the @n buckets that has a count.
 */
static void put_buckets(struct csv *c, const struct strbuf *h, const struct table *t,
			const struct agg_row *line, unsigned n)
{
	struct csv_row *percentiles = xcalloc(t->nagg, sizeof(*percentiles));

	for (uint32_t i = 0; i < t->nagg; i++)
		if (is_hist(t, i))
			csv_percentiles(&percentiles[i], &table_info(t, i)->kind,
					table_value(t, line, i), &t->o->style.percentiles);
	if (!n)
		put_row(c, h, t, line, 0, percentiles);
	for (unsigned b = 0; b < n; b++)
		if (is_bucket_used(t, line, b))
			put_row(c, h, t, line, b, percentiles);
	for (uint32_t i = 0; i < t->nagg; i++)
		strbuf_release(&percentiles[i].b);
	xfree(percentiles);
}

/*
 * Writes a row for each key. If there is a histogram, writes a row for each bucket that has a
 * count.
 */
static void table(struct oformat *f, const struct table *t, const struct format *fmt)
{
	struct csv *c = csv_of(f);
	struct strbuf h = {0};
	unsigned n = widest(t);

	(void)fmt;
	if (t->printa)
		interrupt_record(f);
	heading(&h, t);
	for (size_t r = 0; r < t->lines.row.n; r++)
		put_buckets(c, &h, t, t->lines.row.v[r], n);
	strbuf_release(&h);
}

/* ------------------------------------------------------------ faults and losses */

static void fault(struct oformat *f, const struct oformat_fault *x)
{
	struct strbuf h = {0}, hex = {0};
	struct csv_row row = {0};

	strbuf_adds(&h, COLUMNS_PLACE ",fault,address,action,count");
	place_cells(&row, f, x->time, x->cpu, f->p->clause[x->epid - 1].probe);
	csv_text(&row, x->what);
	if (x->has_value)
		strbuf_addf(&hex, "0x%" PRIx64, x->value);
	csv_take(&row, &hex);
	csv_int(&row, x->action);
	csv_uint(&row, x->count);
	interrupt_record(f);
	put(csv_of(f), &h, &row);
	strbuf_release(&row.b);
	strbuf_release(&h);
}

static void loss(struct oformat *f, const struct oformat_loss *x)
{
	struct strbuf h = {0};
	struct csv_row row = {0};

	strbuf_adds(&h, "timestamp,cpu,loss,count,total,message");
	csv_uint(&row, x->time);
	csv_int_or_empty(&row, x->cpu >= 0, x->cpu);
	csv_text(&row, x->kind);
	csv_uint(&row, x->count);
	csv_uint(&row, x->total);
	csv_text(&row, x->message);
	interrupt_record(f);
	put(csv_of(f), &h, &row);
	strbuf_release(&row.b);
	strbuf_release(&h);
}

const struct oformat_ops oformat_csv = {
	.name = "csv",
	.size = sizeof(struct csv),
	.timed = true,
	.escapes = true,
	.record = record,
	.value = value,
	.bytes = bytes,
	.shape = shape,
	.string = string,
	.message = message,
	.record_end = record_end,
	.pause = interrupt_record,
	.packet = packet,
	.table = table,
	.fault = fault,
	.loss = loss,
	.release = release,
};
