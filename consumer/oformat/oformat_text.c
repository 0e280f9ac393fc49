/* oformat_text.c - implements -x oformat=text, the output in DTrace's form. */
#include <string.h>

#include "base/strbuf.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "consumer/oformat/tables.h"
#include "consumer/values/datum.h"
#include "consumer/oformat/oformat.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/values/printf.h"
#include "consumer/values/shape.h"
#include "consumer/oformat/text_table.h"
#include "engine/source.h"

struct text {
	struct oformat f;
	/* for each probe: the text that begins its lines (" %6d %32s "), formatted once */
	char **line;
	bool heading; /* the heading has been printed */
	int indent;   /* current indentation of -F, in columns */
};

static struct text *text_of(struct oformat *f)
{
	return (struct text *)f;
}

static void begin(struct oformat *f)
{
	struct text *t = text_of(f);

	t->line = xcalloc(f->p->nprobe + 1, sizeof(*t->line));
	for (uint32_t i = 0; i < f->p->nprobe; i++) {
		const struct probe_info *pi = &f->p->probe[i];
		struct strbuf name = {0}, text = {0};

		strbuf_addf(&name, "%s:%s", pi->func, pi->name);
		strbuf_addf(&text, " %6u %32s ", pi->id, name.s);
		strbuf_release(&name);
		t->line[i] = text.s;
	}
}

static void release(struct oformat *f)
{
	struct text *t = text_of(f);

	for (uint32_t i = 0; i < f->p->nprobe; i++)
		xfree(t->line[i]);
	xfree(t->line);
}

enum flow { FLOW_NONE, FLOW_ENTRY, FLOW_RETURN };

/*
 * Returns whether @name is @what or ends with a dash and @what. Example: both "entry" and "x-entry"
 * end as "entry".
 */
static bool ends_as(const char *name, const char *what)
{
	size_t n = strlen(name), w = strlen(what);

	return n >= w && !strcmp(name + n - w, what) && (n == w || name[n - w - 1] == '-');
}

static enum flow flow_of(const struct probe_info *pi)
{
	if (ends_as(pi->name, "entry"))
		return FLOW_ENTRY;
	return ends_as(pi->name, "return") ? FLOW_RETURN : FLOW_NONE;
}

static void flow_line(struct text *t, const struct probe_info *pi, uint32_t cpu)
{
	static const char *const mark[] = {"| ", " -> ", " <- "}, *const sys[] = {"| ", " => ",
										  " <= "};
	enum flow flow = flow_of(pi);
	const char *m = !strcmp(pi->prov, "syscall") ? sys[flow] : mark[flow];
	struct strbuf name = {0};

	if (!t->heading)
		strbuf_addf(&t->f.out->buf, "%3s %-41s\n", "CPU", "FUNCTION");
	t->heading = true;
	if (flow == FLOW_RETURN && t->indent >= 2)
		t->indent -= 2;
	strbuf_addf(&name, "%*s%s%s", t->indent, "", m, pi->func);
	if (flow == FLOW_NONE)
		strbuf_addf(&name, ":%s", pi->name);
	strbuf_addf(&t->f.out->buf, "%3u %-41s ", cpu, name.s);
	strbuf_release(&name);
	if (flow == FLOW_ENTRY)
		t->indent += 2;
}

static void begin_line(struct text *t, uint32_t probe, uint32_t cpu)
{
	struct strbuf *out = &t->f.out->buf;

	if (t->f.o->flowindent) {
		flow_line(t, &t->f.p->probe[probe], cpu);
		return;
	}
	if (t->f.o->quiet)
		return;
	if (!t->heading)
		strbuf_addf(out, "%3s %6s %32s\n", "CPU", "ID", "FUNCTION:NAME");
	t->heading = true;
	datum_int(out, cpu, 3);
	strbuf_adds(out, t->line[probe]);
}

static void record(struct oformat *f, const struct oformat_record *r)
{
	begin_line(text_of(f), r->probe, r->cpu);
}

static void record_end(struct oformat *f)
{
	if (!f->o->quiet)
		strbuf_addc(&f->out->buf, '\n');
}

static void value(struct oformat *f, const struct datum *d)
{
	datum_show(&f->out->buf, d, DATUM_TRACE_WIDTH, f->o->quiet, f->o->rawbytes,
		   consumer_stackindent(f->o));
}

static void bytes(struct oformat *f, const char *s, size_t n)
{
	datum_dump(&f->out->buf, s, n);
}

static void shape(struct oformat *f, const struct shape *s, const char *at)
{
	shape_show(&f->out->buf, s, at, !f->src->recorded);
}

static void string(struct oformat *f, const struct shape *s, const struct datum *d)
{
	struct strbuf *out = &f->out->buf;

	strbuf_addf(out, "%s \"", s->name);
	visible_add(out, d->s, d->len);
	strbuf_addf(out, "\"\n");
}

static void message(struct oformat *f, const struct format *fmt, const struct fmt_args *args)
{
	fmt_show(&f->out->buf, fmt, args);
}

static void table(struct oformat *f, const struct table *t, const struct format *fmt)
{
	if (t->printa && !fmt)
		strbuf_addc(&f->out->buf, '\n');
	text_table(f->out, t, fmt);
}

/* Ends the line on which the terminal shows "^C", even with -q. */
static void interrupted(struct oformat *f)
{
	strbuf_addc(&f->out->buf, '\n');
}

/*
 * Prints an empty line before the aggregations. As in DTrace, the line is printed even if no
 * aggregation follows.
 */
static void rest(struct oformat *f)
{
	strbuf_addc(&f->out->buf, '\n');
}

const struct oformat_ops oformat_text = {
	.name = "text",
	.size = sizeof(struct text),
	.begin = begin,
	.record = record,
	.value = value,
	.bytes = bytes,
	.shape = shape,
	.string = string,
	.message = message,
	.record_end = record_end,
	.table = table,
	.interrupted = interrupted,
	.rest = rest,
	.release = release,
};
