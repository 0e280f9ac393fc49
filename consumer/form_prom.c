/*
 * form_prom.c - -x oformat=prometheus: aggregations alone, at the end, or to whoever asks (-x listen).
 */
#include "consumer/form.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/prom.h"

static void nothing(struct form *f)
{
	(void)f;
}

static void record(struct form *f, const struct form_record *r)
{
	(void)f, (void)r;
}

static void value(struct form *f, const struct datum *d)
{
	(void)f, (void)d;
}

static void bytes(struct form *f, const char *s, size_t n)
{
	(void)f, (void)s, (void)n;
}

static void shape(struct form *f, const struct shape *s, const char *at)
{
	(void)f, (void)s, (void)at;
}

static void string(struct form *f, const struct shape *s, const struct datum *d)
{
	(void)f, (void)s, (void)d;
}

static void message(struct form *f, const struct format *fmt, const struct fmt_args *args)
{
	(void)f, (void)fmt, (void)args;
}

static void packet(struct form *f, const struct packet_slot *pk)
{
	(void)f, (void)pk;
}

static void table(struct form *f, const struct table *t, const struct format *fmt)
{
	(void)f, (void)t, (void)fmt;
}

/* Who listens has told whoever wanted to know. */
static void end(struct form *f)
{
	if (!f->o->serve)
		prom_write(f->prom, f->o->promkeys, &f->out->buf);
}

const struct form_ops form_prometheus = {
	.name = "prometheus",
	.size = sizeof(struct form),
	.record = record,
	.value = value,
	.bytes = bytes,
	.shape = shape,
	.string = string,
	.message = message,
	.packet = packet,
	.record_end = nothing,
	.table = table,
	.end = end,
};
