/*
 * form.c - a form of output during a run, and functions for what a form leaves out.
 */
#include "consumer/forms/form.h"

#include "base/clock.h"
#include "base/xalloc.h"
#include "engine/source.h"

struct form *form_new(const struct form_ops *ops, struct output *out, const struct consumer_opts *o,
		      const struct program *p, struct source *src)
{
	struct form *f = xcalloc(1, ops->size);

	*f = (struct form){.ops = ops, .out = out, .o = o, .p = p, .src = src};
	if (ops->begin)
		ops->begin(f);
	return f;
}

uint64_t form_now(const struct form *f)
{
	return f->src->elsewhere ? f->src->ops->now(f->src) : now_real();
}

void form_free(struct form *f)
{
	if (f && f->ops->release)
		f->ops->release(f);
	xfree(f);
}

/* ------------------------------------------------------------ aggregations alone */

void form_nothing(struct form *f)
{
	(void)f;
}

void form_no_record(struct form *f, const struct form_record *r)
{
	(void)f, (void)r;
}

void form_no_value(struct form *f, const struct datum *d)
{
	(void)f, (void)d;
}

void form_no_bytes(struct form *f, const char *s, size_t n)
{
	(void)f, (void)s, (void)n;
}

void form_no_shape(struct form *f, const struct shape *s, const char *at)
{
	(void)f, (void)s, (void)at;
}

void form_no_string(struct form *f, const struct shape *s, const struct datum *d)
{
	(void)f, (void)s, (void)d;
}

void form_no_message(struct form *f, const struct format *fmt, const struct fmt_args *args)
{
	(void)f, (void)fmt, (void)args;
}

void form_no_table(struct form *f, const struct table *t, const struct format *fmt)
{
	(void)f, (void)t, (void)fmt;
}

void form_no_packet(struct form *f, const struct packet_slot *pk)
{
	(void)f, (void)pk;
}
