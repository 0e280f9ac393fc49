/*
 * oformat_xo.c - implements the formats libxo-json, xml and html, which are the output of FreeBSD's
 * dtrace --libxo.
 *
 * The output is one list of events. An event is a record that printed something, or a loss. The
 * aggregations of a printa() are part of its record's event. With -O, the aggregations at the end
 * are events of their own.
 */
#include <string.h>

#include "base/strbuf.h"
#include "agg/agg.h"
#include "agg/hist.h"
#include "agg/percentile.h"
#include "agg/value.h"
#include "consumer/aggs/aggs.h"
#include "consumer/oformat/tables.h"
#include "consumer/values/datum.h"
#include "consumer/oformat/oformat.h"
#include "consumer/oformat/json_value.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/values/plain.h"
#include "consumer/values/printf.h"
#include "consumer/values/shape.h"
#include "consumer/symbols/stack.h"
#include "consumer/oformat/tree.h"
#include "engine/source.h"

struct xo {
	struct oformat f;
	struct tree t;
	struct oformat_record r;
	bool open;  /* a record has begun and not ended */
	bool begun; /* the record has printed something */
};

static struct tree *tree_of(struct oformat *f)
{
	return &((struct xo *)f)->t;
}

static void begin(struct oformat *f, const struct tree_ops *ops)
{
	struct tree *t = tree_of(f);

	*t = (struct tree){.ops = ops, .out = &f->out->buf, .pretty = f->o->pretty};
	if (ops == &tree_json)
		strbuf_addc(t->out, '{');
	t->depth = ops == &tree_json;
	tree_open(t, TREE_CONTAINER, "dtrace");
	tree_open(t, TREE_LIST, "probes");
}

static void begin_json(struct oformat *f)
{
	begin(f, &tree_json);
}

static void begin_xml(struct oformat *f)
{
	begin(f, &tree_xml);
}

static void begin_html(struct oformat *f)
{
	begin(f, &tree_html);
}

static void end(struct oformat *f)
{
	struct tree *t = tree_of(f);

	tree_close(t, TREE_LIST, "probes");
	tree_close(t, TREE_CONTAINER, "dtrace");
	if (t->ops == &tree_json)
		strbuf_adds(t->out, t->pretty ? "\n}" : "}");
	if (t->ops != &tree_html)
		strbuf_addc(t->out, '\n');
}

/* ----------------------------------------------------------------------- events */

static void begin_event(struct tree *t, uint64_t time, int cpu, int id)
{
	tree_open(t, TREE_LINE, "probes");
	tree_uint(t, "timestamp", time);
	tree_int(t, "cpu", cpu);
	tree_int(t, "id", id);
}

/* Begins an event that does not belong to a probe: a loss, or an aggregation at the end. */
static void begin_internal_event(struct tree *t, uint64_t time, const char *name)
{
	begin_event(t, time, -1, -1);
	tree_string(t, "provider", "dtrace");
	tree_string(t, "module", "INTERNAL");
	tree_string(t, "function", "INTERNAL");
	tree_string(t, "name", name);
}

/*
 * Opens an element of the event's output for a recorded value. Returns NULL if no record is open.
 */
static struct tree *open_datum(struct oformat *f)
{
	struct xo *x = (struct xo *)f;
	const struct probe_info *pi = &f->p->probe[x->r.probe];

	if (!x->open)
		return NULL;
	if (!x->begun) {
		begin_event(&x->t, x->r.time, (int)x->r.cpu, (int)pi->id);
		tree_string(&x->t, "provider", pi->prov);
		tree_string(&x->t, "module", pi->mod);
		tree_string(&x->t, "function", pi->func);
		tree_string(&x->t, "name", pi->name);
		tree_open(&x->t, TREE_LIST, "output");
		x->begun = true;
	}
	tree_open(&x->t, TREE_INSTANCE, "output");
	return &x->t;
}

static void close_datum(struct tree *t)
{
	tree_close(t, TREE_INSTANCE, "output");
}

static void record(struct oformat *f, const struct oformat_record *r)
{
	struct xo *x = (struct xo *)f;

	x->r = *r;
	x->open = true;
	x->begun = false;
}

static void record_end(struct oformat *f)
{
	struct xo *x = (struct xo *)f;

	if (x->begun) {
		tree_close(&x->t, TREE_LIST, "output");
		tree_close(&x->t, TREE_LINE, "probes");
	}
	x->open = x->begun = false;
}

/* ------------------------------------------------------------------------- data */

/* Writes the three parts of a symbol such as "module`name+0x1f". */
static void symbol_parts(struct tree *t, const char *object, const char *s, size_t n)
{
	const char *tick = memchr(s, '`', n), *name = tick ? tick + 1 : s, *end = s + n,
		   *plus = NULL;

	for (const char *p = name; p + 3 <= end; p++)
		if (!memcmp(p, "+0x", 3))
			plus = p;
	tree_text(t, object, s, tick ? (size_t)(tick - s) : 0);
	tree_text(t, "name", name, (size_t)((plus ? plus : end) - name));
	if (plus)
		tree_text(t, "offset", plus + 1, (size_t)(end - plus - 1));
	else
		tree_string(t, "offset", "0x0");
}

static void frames(struct tree *t, const struct datum *d)
{
	bool user = d->kind == FIELD_USTACK;
	const char *name = user ? "ustack-frames" : "stack-frames";
	size_t n = d->len / 8 - (user && d->len);

	tree_open(t, TREE_LIST, name);
	for (size_t i = 0; i < n; i++) {
		struct strbuf b = {0};

		if (user)
			ustack_frame(&b, d->s, i);
		else
			stack_frame(&b, d->s, i);
		tree_open(t, TREE_INSTANCE, name);
		tree_text(t, "symbol", b.s, b.len);
		symbol_parts(t, "module", b.s, b.len);
		tree_close(t, TREE_INSTANCE, name);
		strbuf_release(&b);
	}
	tree_close(t, TREE_LIST, name);
}

/* Writes an integer as a number. Writes any other value, also an address, as text. */
static void leaf(struct tree *t, const char *name, const struct datum *d)
{
	struct strbuf b = {0};

	if (d->kind == FIELD_INT) {
		tree_int(t, name, (int64_t)d->num);
		return;
	}
	if (d->kind == FIELD_UINT && !d->address) {
		tree_uint(t, name, d->num);
		return;
	}
	plain_datum(&b, d);
	tree_text(t, name, strbuf_text(&b), b.len);
	strbuf_release(&b);
}

static void value(struct oformat *f, const struct datum *d)
{
	struct tree *t = open_datum(f);

	if (!t)
		return;
	if (d->kind == FIELD_STACK || d->kind == FIELD_USTACK) {
		frames(t, d);
	} else {
		leaf(t, json_kind(d), d);
		if (d->kind >= FIELD_SYM && d->kind <= FIELD_UADDR)
			symbol_parts(t, "object", d->s, d->len);
	}
	close_datum(t);
}

/*
 * Writes @text as an element of the event's output, and releases @text. Returns NULL if no record
 * is open.
 */
static struct tree *text_datum(struct oformat *f, const char *name, struct strbuf *text)
{
	struct tree *t = open_datum(f);

	if (t) {
		tree_text(t, name, strbuf_text(text), text->len);
		close_datum(t);
	}
	strbuf_release(text);
	return t;
}

static void bytes(struct oformat *f, const char *s, size_t n)
{
	struct strbuf b = {0};

	plain_bytes(&b, s, n);
	text_datum(f, "tracemem", &b);
}

static void packet(struct oformat *f, const struct packet_slot *pk)
{
	bytes(f, (const char *)(pk + 1), pk->len);
}

static void message(struct oformat *f, const struct format *fmt, const struct fmt_args *args)
{
	struct strbuf b = {0};
	struct tree *t;

	fmt_show(&b, fmt, args);
	t = text_datum(f, "message", &b);
	if (!t)
		return;
	for (uint32_t i = 0; i < args->narg; i++)
		if (!args->arg[i].layout)
			value(f, &args->arg[i]);
	if (args->narg)
		return;
	open_datum(f);
	tree_int(t, "value", 0);
	close_datum(t);
}

/*
 * Writes the members of a struct. The output does not nest: the members of an inner struct are
 * written after the inner struct, not inside it.
 */
static void members(struct tree *t, const struct shape *s, const char *at, bool names)
{
	for (uint32_t i = 0; i < s->n && s->kind == SHAPE_STRUCT; i++) {
		const struct shape_member *m = &s->member[i];
		const char *where = at + m->bitoff / 8;
		struct strbuf b = {0};

		tree_open(t, TREE_INSTANCE, "type");
		tree_string(t, "member-name", m->name ? m->name : "");
		tree_string(t, "name", m->shape->name);
		tree_int(t, "ctfid", 0);
		if (m->shape->kind != SHAPE_STRUCT) {
			if (m->bits)
				strbuf_addf(&b, "%#llx", (unsigned long long)shape_bits(m, at));
			else
				shape_value(&b, m->shape, where, names);
			tree_text(t, "value", b.s, b.len);
		}
		tree_close(t, TREE_INSTANCE, "type");
		strbuf_release(&b);
		members(t, m->shape, where, names);
	}
}

static void shape(struct oformat *f, const struct shape *s, const char *at)
{
	bool names = !f->src->recorded;
	struct tree *t = open_datum(f);
	struct strbuf b = {0};

	if (!t)
		return;
	tree_open(t, TREE_LIST, "type");
	tree_open(t, TREE_INSTANCE, "type");
	tree_string(t, "object-name", "vmlinux");
	tree_string(t, "name", s->name);
	tree_int(t, "ctfid", 0);
	if (s->kind != SHAPE_STRUCT) {
		shape_value(&b, s, at, names);
		tree_text(t, "value", b.s, b.len);
		strbuf_release(&b);
	}
	tree_close(t, TREE_INSTANCE, "type");
	members(t, s, at, names);
	tree_close(t, TREE_LIST, "type");
	close_datum(t);
}

static void string(struct oformat *f, const struct shape *s, const struct datum *d)
{
	(void)s;
	value(f, d);
}

/* ----------------------------------------------------------------- aggregations */

static void keys(struct tree *t, const struct agg_info *ai, const struct agg_row *line)
{
	struct datum d = {0};

	tree_open(t, TREE_VALUES, "keys");
	for (uint32_t i = 0; i < ai->nkey; i++) {
		if (ai->key[i].layout)
			continue;
		agg_key_part(ai, line->key, i, &d);
		leaf(t, "keys", &d);
	}
	tree_close(t, TREE_VALUES, "keys");
}

/*
 * Writes the buckets that have rows in text output. These are the buckets from the first to the
 * last that has a count, plus one bucket before and one after.
 */
static void buckets(struct tree *t, const struct agg_info *ai, const int64_t *count, int64_t normal)
{
	unsigned n = hist_buckets(&ai->kind), first = n, last = 0;

	for (unsigned i = 0; i < n; i++)
		if (count[i]) {
			first = i < first ? i : first;
			last = i;
		}
	tree_open(t, TREE_LIST, "buckets");
	for (unsigned i = first ? first - 1 : 0; first < n && i <= last + 1 && i < n; i++) {
		tree_open(t, TREE_INSTANCE, "buckets");
		tree_int(t, "value", hist_value(&ai->kind, i));
		tree_int(t, "count", hist_count(count, i, normal));
		tree_close(t, TREE_INSTANCE, "buckets");
	}
	tree_close(t, TREE_LIST, "buckets");
}

/*
 * Writes the percentiles @at. If the bucket of a percentile is open-ended, the percentile has no
 * value and lacks one bound.
 */
static void put_percentiles(struct tree *t, const struct agg_info *ai, const int64_t *count,
			    const struct percentiles *at)
{
	struct percentile p;
	char name[16];

	tree_open(t, TREE_LIST, "percentiles");
	for (uint32_t i = 0; i < at->n && hist_percentile(&ai->kind, count, at->at[i], &p); i++) {
		percentile_name(at->at[i], name, sizeof(name));
		tree_open(t, TREE_INSTANCE, "percentiles");
		tree_string(t, "percent", name);
		if (p.has_min && p.has_max)
			tree_int(t, "value", p.value);
		if (p.has_min)
			tree_int(t, "min", p.min);
		if (p.has_max)
			tree_int(t, "max", p.max);
		tree_close(t, TREE_INSTANCE, "percentiles");
	}
	tree_close(t, TREE_LIST, "percentiles");
}

static void one_aggregation(struct oformat *f, struct tree *t, const struct table *tab, uint32_t i)
{
	const struct agg_info *ai = table_info(tab, i);
	const struct agg_fn_def *fn = agg_fn_of(&ai->kind);

	tree_open(t, TREE_LIST, "aggregation-data");
	for (size_t r = 0; r < tab->lines.row.n; r++) {
		const void *v = table_value(tab, tab->lines.row.v[r], i);

		tree_open(t, TREE_INSTANCE, "aggregation-data");
		keys(t, ai, tab->lines.row.v[r]);
		if (fn->hist)
			buckets(t, ai, v, table_normal(tab, i));
		if (fn->hist && tab->o->style.percentiles.n)
			put_percentiles(t, ai, v, &tab->o->style.percentiles);
		if (!fn->hist)
			tree_int(t, fn->name, fn->result(&ai->kind, v, table_normal(tab, i)));
		tree_close(t, TREE_INSTANCE, "aggregation-data");
		output_spill(f->out);
	}
	tree_close(t, TREE_LIST, "aggregation-data");
	tree_string(t, "aggregation-name", ai->name);
}

static void table(struct oformat *f, const struct table *tab, const struct format *fmt)
{
	struct tree *t = tree_of(f);

	(void)fmt;
	for (uint32_t i = 0; tab->printa && i < tab->nagg; i++) {
		if (!open_datum(f))
			return;
		one_aggregation(f, t, tab, i);
		close_datum(t);
	}
	if (tab->printa || !f->o->aggsatend || !tab->lines.row.n)
		return;
	begin_internal_event(t, oformat_now(f), "AGGREGATION");
	tree_open(t, TREE_LIST, "output");
	tree_open(t, TREE_INSTANCE, "output");
	one_aggregation(f, t, tab, 0);
	close_datum(t);
	tree_close(t, TREE_LIST, "output");
	tree_close(t, TREE_LINE, "probes");
}

/* ----------------------------------------------------------------------- losses */

static void loss(struct oformat *f, const struct oformat_loss *x)
{
	struct tree *t = tree_of(f);
	struct strbuf kind = {0};

	record_end(f);
	begin_internal_event(t, x->time, "DROP");
	tree_uint(t, "count", x->count);
	tree_uint(t, "total", x->total);
	strbuf_addf(&kind, x->tag ? "DTRACEDROP_%s" : "%s", x->tag ? x->tag : x->kind);
	tree_text(t, "kind", kind.s, kind.len);
	tree_string(t, "msg", x->message);
	tree_close(t, TREE_LINE, "probes");
	strbuf_release(&kind);
}

#define XO(begin_fn) \
	.size = sizeof(struct xo), .timed = true, .escapes = true, .begin = (begin_fn), \
	.record = record, .value = value, .bytes = bytes, .shape = shape, .string = string, \
	.message = message, .packet = packet, .record_end = record_end, .table = table, \
	.loss = loss, .end = end

const struct oformat_ops oformat_xo_json = {.name = "libxo-json", XO(begin_json)};
const struct oformat_ops oformat_xml = {.name = "xml", XO(begin_xml)};
const struct oformat_ops oformat_html = {.name = "html", XO(begin_html)};
