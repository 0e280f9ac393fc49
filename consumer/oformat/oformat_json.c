/*
 * oformat_json.c - implements -x oformat=json, which prints a line with an object for each record,
 * key of an aggregation, loss and fault, and for the results of -x footer and -x cost.
 *
 * The line of a record is collected in a buffer and written as a whole. The rows of printa() and
 * the output of a command need lines of their own, so they end the record's line. Later data of the
 * same record are in another line, with "continued": true.
 */
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "agg/agg.h"
#include "consumer/aggs/aggs.h"
#include "consumer/oformat/tables.h"
#include "consumer/oformat/columns.h"
#include "consumer/values/datum.h"
#include "consumer/oformat/oformat.h"
#include "consumer/oformat/json.h"
#include "consumer/oformat/json_value.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/values/printf.h"
#include "engine/source.h"

struct lines {
	struct oformat f;
	char **probe;       /* for each probe: the members that describe it, formatted once */
	struct strbuf line; /* line of the current record */
	struct json j;
	/*
	 * Names of the columns of the line: those that say when and where the probe fired, and then
	 * a name for each value so far.
	 */
	struct strbuf names;
	uint32_t nvalue; /* number of values in the line so far */
	struct oformat_record r;
	bool open;      /* a record has begun and not ended */
	bool begun;     /* the record has a line that is not written yet */
	bool continued; /* an earlier line of the record has been written */
};

static struct lines *lines_of(struct oformat *f)
{
	return (struct lines *)f;
}

static char *describe(const struct probe_info *pi)
{
	struct strbuf b = {0};
	struct json j = {&b, false};

	json_put_uint(&j, "id", pi->id);
	json_put_string(&j, "provider", pi->prov);
	json_put_string(&j, "module", pi->mod);
	json_put_string(&j, "function", pi->func);
	json_put_string(&j, "name", pi->name);
	return b.s;
}

static void begin(struct oformat *f)
{
	struct lines *l = lines_of(f);

	l->probe = xcalloc(f->p->nprobe + 1, sizeof(*l->probe));
	for (uint32_t i = 0; i < f->p->nprobe; i++)
		l->probe[i] = describe(&f->p->probe[i]);
}

static void release(struct oformat *f)
{
	struct lines *l = lines_of(f);

	for (uint32_t i = 0; i < f->p->nprobe; i++)
		xfree(l->probe[i]);
	xfree(l->probe);
	strbuf_release(&l->line);
	strbuf_release(&l->names);
}

/* Begins a line with {"type": @type, "timestamp": @time. */
static void open_line(struct json *j, struct strbuf *to, const char *type, uint64_t time)
{
	*j = (struct json){to, false};
	json_open(j, '{');
	json_put_string(j, "type", type);
	json_put_uint(j, "timestamp", time);
}

static void close_line(struct json *j)
{
	json_close(j, '}');
	strbuf_addc(j->out, '\n');
}

static void add_probe(struct lines *l, struct json *j, uint32_t probe)
{
	strbuf_addc(j->out, ',');
	strbuf_adds(j->out, l->probe[probe]);
}

/* --------------------------------------------------------------------- records */

static void begin_line(struct lines *l)
{
	struct json *j = &l->j;

	strbuf_reset(&l->line);
	open_line(j, &l->line, "record", l->r.time);
	json_put_uint(j, "cpu", l->r.cpu);
	add_probe(l, j, l->r.probe);
	if (l->continued) {
		json_name(j, "continued");
		json_bool(j, true);
	}
	json_name(j, "output");
	json_open(j, '[');
	strbuf_reset(&l->names);
	strbuf_adds(&l->names, COLUMNS_PLACE);
	l->nvalue = 0;
	l->begun = true;
}

static void end_line(struct lines *l)
{
	if (!l->begun)
		return;
	json_close(&l->j, ']');
	close_line(&l->j);
	strbuf_add(&l->f.out->buf, l->line.s, l->line.len);
	l->begun = false;
	l->continued = true;
}

static void record(struct oformat *f, const struct oformat_record *r)
{
	struct lines *l = lines_of(f);

	l->r = *r;
	l->open = true;
	l->continued = false;
	if (!f->o->quiet)
		begin_line(l);
}

static void record_end(struct oformat *f)
{
	struct lines *l = lines_of(f);

	end_line(l);
	l->open = false;
}

static void interrupt_record(struct oformat *f)
{
	end_line(lines_of(f));
}

/*
 * Opens the object of a recorded value. Returns NULL if no record is open. In this case, the value
 * is not shown.
 */
static struct json *open_datum(struct lines *l)
{
	if (!l->open)
		return NULL;
	if (!l->begun)
		begin_line(l);
	json_open(&l->j, '{');
	return &l->j;
}

/*
 * Returns the name of the next value. Values without a label are numbered within the line, as CSV
 * output numbers them within the row.
 */
static const char *next_name(struct lines *l, const char *label)
{
	return columns_add(&l->names, label, ++l->nvalue);
}

static void value(struct oformat *f, const struct datum *d)
{
	struct json *j = open_datum(lines_of(f));

	if (!j)
		return;
	next_name(lines_of(f), d->label);
	json_name(j, json_kind(d));
	json_datum(j, d);
	json_close(j, '}');
}

static void bytes(struct oformat *f, const char *s, size_t n)
{
	struct json *j = open_datum(lines_of(f));

	if (!j)
		return;
	next_name(lines_of(f), NULL);
	json_name(j, "tracemem");
	json_bytes(j, s, n);
	json_close(j, '}');
}

static void shape(struct oformat *f, const struct shape *s, const char *at)
{
	struct json *j = open_datum(lines_of(f));

	if (!j)
		return;
	next_name(lines_of(f), NULL);
	json_put_string(j, "type", s->name);
	json_name(j, "print");
	json_shape(j, s, at, !f->src->recorded);
	json_close(j, '}');
}

static void string(struct oformat *f, const struct shape *s, const struct datum *d)
{
	struct json *j = open_datum(lines_of(f));

	if (!j)
		return;
	next_name(lines_of(f), d->label);
	json_put_string(j, "type", s->name);
	json_name(j, "print");
	json_datum(j, d);
	json_close(j, '}');
}

/* Writes an object with a member for each argument that is data. columns_add() makes the names. */
static void arguments(struct lines *l, const struct format *fmt, const struct fmt_args *args)
{
	const struct datum *d;
	uint32_t at = 0;

	json_open(&l->j, '{');
	while ((d = columns_argument(args, fmt, &at))) {
		json_name(&l->j, next_name(l, d->label));
		json_argument(&l->j, d, fmt_wants(fmt, at - 1));
	}
	json_close(&l->j, '}');
}

static void message(struct oformat *f, const struct format *fmt, const struct fmt_args *args)
{
	struct json *j = open_datum(lines_of(f));
	struct strbuf text = {0};

	if (!j)
		return;
	fmt_show(&text, fmt, args);
	json_name(j, "message");
	json_text(j, text.s, text.len);
	json_put_string(j, "format", fmt->text);
	json_name(j, "args");
	arguments(lines_of(f), fmt, args);
	json_close(j, '}');
	strbuf_release(&text);
}

static void packet(struct oformat *f, const struct packet_slot *pk)
{
	struct json *j = open_datum(lines_of(f));

	if (!j)
		return;
	next_name(lines_of(f), NULL);
	json_name(j, "packet");
	json_bytes(j, (const char *)(pk + 1), pk->len);
	json_put_uint(j, "length", pk->wire);
	json_put_uint(j, "link", pk->link);
	json_put_uint(j, "time", pk->time);
	json_close(j, '}');
}

/* ---------------------------------------------------------------- aggregations */

static void values(struct json *j, const struct table *t, const struct agg_row *line)
{
	json_name(j, "aggregations");
	json_open(j, '[');
	for (uint32_t i = 0; i < t->nagg; i++) {
		const struct agg_info *ai = table_info(t, i);

		json_open(j, '{');
		json_put_string(j, "name", ai->name);
		json_put_string(j, "function", agg_fn_of(&ai->kind)->name);
		json_agg_value(j, ai, table_value(t, line, i), table_normal(t, i),
			       &t->o->style.percentiles);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void formatted(struct json *j, const struct table *t, const struct agg_row *line,
		      const struct format *fmt)
{
	struct strbuf text = {0};

	table_format(t, line, fmt, true, &text);
	json_name(j, "message");
	json_text(j, text.s, text.len);
	json_put_string(j, "format", fmt->text);
	strbuf_release(&text);
}

/*
 * Writes the number of rows of a printa() to the record. So a reader can tell a printa() without
 * rows from no printa().
 */
static void add_row_count(struct lines *l, const struct table *t)
{
	struct json *j = open_datum(l);

	if (!j)
		return;
	json_name(j, "printa");
	json_open(j, '[');
	for (uint32_t i = 0; i < t->nagg; i++)
		json_string(j, table_info(t, i)->name);
	json_close(j, ']');
	json_put_uint(j, "rows", t->lines.row.n);
	json_close(j, '}');
}

static void table(struct oformat *f, const struct table *t, const struct format *fmt)
{
	struct lines *l = lines_of(f);
	uint64_t time = t->printa && l->open ? l->r.time : oformat_now(f);
	struct json j;

	if (t->printa)
		add_row_count(l, t);
	end_line(l);
	for (size_t i = 0; i < t->lines.row.n; i++) {
		open_line(&j, &f->out->buf, "aggregation", time);
		json_keys(&j, table_info(t, 0), t->lines.row.v[i]->key);
		values(&j, t, t->lines.row.v[i]);
		if (fmt)
			formatted(&j, t, t->lines.row.v[i], fmt);
		close_line(&j);
		output_spill(f->out);
	}
}

/* ------------------------------------------------------------ faults and losses */

/*
 * Writes a fault. A fault can come in the middle of a record, so this function first ends the
 * record's line.
 */
static void fault(struct oformat *f, const struct oformat_fault *x)
{
	struct lines *l = lines_of(f);
	struct strbuf hex = {0};
	struct json j;

	end_line(l);
	open_line(&j, &f->out->buf, "fault", x->time);
	json_put_uint(&j, "cpu", x->cpu);
	add_probe(l, &j, f->p->clause[x->epid - 1].probe);
	json_put_uint(&j, "epid", x->epid);
	json_put_string(&j, "fault", x->what);
	if (x->has_value) {
		strbuf_addf(&hex, "0x%llx", (unsigned long long)x->value);
		json_name(&j, "address");
		json_text(&j, hex.s, hex.len);
		strbuf_release(&hex);
	}
	json_name(&j, "action"); /* 0 stands for the predicate */
	json_int(&j, x->action);
	json_put_uint(&j, "count", x->count);
	close_line(&j);
}

static void loss(struct oformat *f, const struct oformat_loss *x)
{
	struct json j;

	end_line(lines_of(f));
	open_line(&j, &f->out->buf, "loss", x->time);
	json_put_string(&j, "kind", x->kind);
	if (x->cpu >= 0) {
		json_put_int(&j, "cpu", x->cpu);
	}
	json_put_uint(&j, "count", x->count);
	json_put_uint(&j, "total", x->total);
	json_put_string(&j, "message", x->message);
	close_line(&j);
}

static void put_cost(struct json *j, const struct unit_cost *c)
{
	json_put_uint(j, "runs", c->runs);
	json_put_uint(j, "ns", c->ns);
	json_put_uint(j, "elapsed", c->elapsed_ns);
}

static void footer(struct oformat *f, const struct oformat_total *t, size_t nt,
		   const struct oformat_hook *h, size_t nh)
{
	struct json j;

	open_line(&j, &f->out->buf, "footer", oformat_now(f));
	/* the last total is the number of hooks, which the array below shows */
	for (size_t i = 0; i + 1 < nt; i++) {
		json_name(&j, t[i].name);
		json_uint(&j, t[i].n);
	}
	json_name(&j, "hooks");
	json_open(&j, '[');
	for (size_t i = 0; i < nh; i++) {
		json_open(&j, '{');
		json_put_string(&j, "hook", h[i].name);
		if (h[i].known)
			put_cost(&j, &h[i].cost);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	close_line(&j);
}

static void costs(struct oformat *f, const struct oformat_cost *c, size_t n)
{
	struct json j;

	for (size_t i = 0; i < n; i++) {
		open_line(&j, &f->out->buf, "cost", oformat_now(f));
		json_put_string(&j, "hook", c[i].hook);
		json_put_uint(&j, "part", c[i].part);
		json_name(&j, "backup");
		json_bool(&j, c[i].is_backup);
		json_name(&j, "probes");
		json_open(&j, '[');
		for (size_t k = 0; k < c[i].nprobe; k++)
			json_string(&j, c[i].probe[k]);
		json_close(&j, ']');
		put_cost(&j, &c[i].cost);
		close_line(&j);
	}
}

const struct oformat_ops oformat_json = {
	.name = "json",
	.size = sizeof(struct lines),
	.timed = true,
	.escapes = true,
	.begin = begin,
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
	.footer = footer,
	.costs = costs,
	.release = release,
};
