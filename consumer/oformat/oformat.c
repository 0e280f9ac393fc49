/*
 * oformat.c - creates and frees the state of an output format, and has the functions for data that
 * a format does not show.
 */
#include "consumer/oformat/oformat.h"

#include "base/clock.h"
#include "base/xalloc.h"
#include "engine/source.h"

struct oformat *oformat_new(const struct oformat_ops *ops, struct output *out,
			    const struct consumer_opts *o, const struct program *p,
			    struct source *src)
{
	struct oformat *f = xcalloc(1, ops->size);

	*f = (struct oformat){.ops = ops, .out = out, .o = o, .p = p, .src = src};
	if (ops->begin)
		ops->begin(f);
	return f;
}

uint64_t oformat_now(const struct oformat *f)
{
	return f->src->recorded ? f->src->ops->now(f->src) : now_real();
}

void oformat_free(struct oformat *f)
{
	if (f && f->ops->release)
		f->ops->release(f);
	xfree(f);
}

/* ---------------------------------------------------- formats that ignore records */

void oformat_nothing(struct oformat *f)
{
	(void)f;
}

void oformat_no_record(struct oformat *f, const struct oformat_record *r)
{
	(void)f, (void)r;
}

void oformat_no_value(struct oformat *f, const struct datum *d)
{
	(void)f, (void)d;
}

void oformat_no_bytes(struct oformat *f, const char *s, size_t n)
{
	(void)f, (void)s, (void)n;
}

void oformat_no_shape(struct oformat *f, const struct shape *s, const char *at)
{
	(void)f, (void)s, (void)at;
}

void oformat_no_string(struct oformat *f, const struct shape *s, const struct datum *d)
{
	(void)f, (void)s, (void)d;
}

void oformat_no_message(struct oformat *f, const struct format *fmt, const struct fmt_args *args)
{
	(void)f, (void)fmt, (void)args;
}

void oformat_no_table(struct oformat *f, const struct table *t, const struct format *fmt)
{
	(void)f, (void)t, (void)fmt;
}

void oformat_no_packet(struct oformat *f, const struct packet_slot *pk)
{
	(void)f, (void)pk;
}
