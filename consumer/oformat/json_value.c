/* json_value.c - writes recorded values and aggregations as JSON. */
#include "consumer/oformat/json_value.h"

#include <string.h>

#include "base/strbuf.h"
#include "agg/agg.h"
#include "agg/hist.h"
#include "agg/percentile.h"
#include "agg/value.h"
#include "consumer/aggs/aggs.h"
#include "consumer/oformat/columns.h"
#include "consumer/values/datum.h"
#include "consumer/oformat/json.h"
#include "consumer/values/printf.h"
#include "consumer/values/shape.h"
#include "consumer/symbols/stack.h"
#include "ir/format.h"
#include "ir/program.h"

/* ------------------------------------------------------------------- the kinds */

static void number(struct json *j, const struct datum *d)
{
	json_int(j, (int64_t)d->num);
}

static void unsigned_number(struct json *j, const struct datum *d)
{
	struct strbuf b = {0};

	if (!d->address) {
		json_uint(j, d->num);
		return;
	}
	/* written as a string, because JSON readers that use doubles would lose bits */
	datum_number(&b, d, 0);
	json_text(j, b.s, b.len);
	strbuf_release(&b);
}

static void text(struct json *j, const struct datum *d)
{
	json_text(j, d->s, d->len);
}

static void memory(struct json *j, const struct datum *d)
{
	uint64_t v = 0;
	size_t len;

	if (d->size == 1 || d->size == 2 || d->size == 4 || d->size == 8) {
		memcpy(&v, d->s, d->size);
		json_uint(j, v);
	} else if (datum_is_c_string(d, &len)) {
		json_text(j, d->s, len);
	} else {
		json_bytes(j, d->s, d->size);
	}
}

static void frame(struct json *j, uint64_t addr, const struct strbuf *symbol)
{
	struct strbuf hex = {0};

	strbuf_addf(&hex, "0x%llx", (unsigned long long)addr);
	json_open(j, '{');
	json_name(j, "address");
	json_text(j, hex.s, hex.len);
	json_name(j, "symbol");
	json_text(j, symbol->s, symbol->len);
	json_close(j, '}');
	strbuf_release(&hex);
}

/*
 * Writes the frames of a stack. @skip is the number of words before the frames; it is 1 for a user
 * stack, which begins with the process ID. @one is the function that appends the name of a frame
 * and returns the frame's address.
 */
static void frames(struct json *j, const struct datum *d, size_t skip,
		   uint64_t (*one)(struct strbuf *out, const char *at, size_t i))
{
	struct strbuf symbol = {0};

	json_open(j, '[');
	for (size_t i = 0; i + skip < d->len / 8; i++) {
		uint64_t addr;

		strbuf_reset(&symbol);
		addr = one(&symbol, d->s, i);
		frame(j, addr, &symbol);
	}
	json_close(j, ']');
	strbuf_release(&symbol);
}

static void stack(struct json *j, const struct datum *d)
{
	frames(j, d, 0, stack_frame);
}

static void ustack(struct json *j, const struct datum *d)
{
	frames(j, d, 1, ustack_frame);
}

static void text_frames(struct json *j, const struct datum *d)
{
	const char *line;
	size_t at = 0, len;

	json_open(j, '[');
	while (datum_next_frame(d, &at, &line, &len)) {
		json_open(j, '{');
		json_name(j, "symbol");
		json_text(j, line, len);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static const struct {
	const char *name;
	void (*show)(struct json *j, const struct datum *d);
} kinds[FIELD_KIND_MAX] = {
	[FIELD_INT] = {"value", number},
	[FIELD_UINT] = {"value", unsigned_number},
	[FIELD_STRING] = {"value", text},
	[FIELD_BYTES] = {"value", memory},
	[FIELD_STACK] = {"stack", stack},
	[FIELD_USTACK] = {"ustack", ustack},
	[FIELD_SYM] = {"sym", text},
	[FIELD_MOD] = {"mod", text},
	[FIELD_USYM] = {"usym", text},
	[FIELD_UMOD] = {"umod", text},
	[FIELD_UADDR] = {"uaddr", text},
	[FIELD_FRAMES] = {"stack", text_frames},
	[FIELD_UFRAMES] = {"ustack", text_frames},
};

const char *json_kind(const struct datum *d)
{
	return kinds[d->kind].name;
}

void json_datum(struct json *j, const struct datum *d)
{
	kinds[d->kind].show(j, d);
}

/* --------------------------------------------------------------------- printf() */

void json_argument(struct json *j, const struct datum *d, enum conv_want want)
{
	if (d->kind == FIELD_BYTES && want == WANT_FLOAT)
		json_double(j, (double)datum_float(d->s, d->len));
	else
		json_datum(j, d);
}

/* ---------------------------------------------------------------------- print() */

static void any_value(struct json *j, const struct shape *s, const char *at, bool names);

static void pointer(struct json *j, const struct shape *s, const char *at, bool names)
{
	struct strbuf b = {0};

	shape_pointer(&b, s, at, names);
	json_text(j, b.s, b.len);
	strbuf_release(&b);
}

static void array(struct json *j, const struct shape *s, const char *at, bool names)
{
	if (shape_is_text(s, at)) {
		json_text(j, at, strnlen(at, s->n));
		return;
	}
	json_open(j, '[');
	for (uint32_t i = 0; i < s->n; i++)
		any_value(j, s->of, at + (size_t)i * s->of->size, names);
	json_close(j, ']');
}

static void bits(struct json *j, const struct shape_member *m, const char *at)
{
	uint64_t v = shape_bits(m, at);

	if (m->shape->sgn)
		json_int(j, (int64_t)(v << (64 - m->bits)) >> (64 - m->bits));
	else
		json_uint(j, v);
}

/*
 * Writes the members of a struct. As in C, members of an anonymous struct are treated as members of
 * the enclosing struct.
 */
static void members(struct json *j, const struct shape *s, const char *at, bool names)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const struct shape_member *m = &s->member[i];

		if (!m->name && m->shape->kind == SHAPE_STRUCT)
			members(j, m->shape, at + m->bitoff / 8, names);
		if (!m->name)
			continue;
		json_name(j, m->name);
		if (m->bits)
			bits(j, m, at);
		else
			any_value(j, m->shape, at + m->bitoff / 8, names);
	}
}

static void shape_integer(struct json *j, const struct shape *s, const char *at)
{
	int64_t v = shape_number(s, at);

	if (s->sgn)
		json_int(j, v);
	else
		json_uint(j, (uint64_t)v);
}

static void any_value(struct json *j, const struct shape *s, const char *at, bool names)
{
	const char *tag;

	switch (s->kind) {
	case SHAPE_INT:
	case SHAPE_CHAR:
		shape_integer(j, s, at);
		return;
	case SHAPE_STRING:
		json_text(j, at, strnlen(at, s->size));
		return;
	case SHAPE_FLOAT:
		json_double(j, (double)datum_float(at, s->size));
		return;
	case SHAPE_ENUM:
		tag = shape_enum_name(s, at);
		if (tag)
			json_string(j, tag);
		else
			json_int(j, shape_number(s, at));
		return;
	case SHAPE_POINTER:
		pointer(j, s, at, names);
		return;
	case SHAPE_ARRAY:
		array(j, s, at, names);
		return;
	case SHAPE_STRUCT:
		json_open(j, '{');
		members(j, s, at, names);
		json_close(j, '}');
		return;
	}
}

void json_shape(struct json *j, const struct shape *s, const char *at, bool names)
{
	any_value(j, s, at, names);
}

/* ----------------------------------------------------------------- aggregations */

void json_keys(struct json *j, const struct agg_info *ai, const uint8_t *key)
{
	struct datum part = {0};
	struct strbuf name = {0};

	json_name(j, "keys");
	json_open(j, '{');
	for (uint32_t i = 0; i < ai->nkey; i++) {
		if (ai->key[i].layout)
			continue;
		strbuf_reset(&name);
		key_name(&name, ai, i);
		json_name(j, name.s);
		agg_key_part(ai, key, i, &part);
		json_datum(j, &part);
	}
	json_close(j, '}');
	strbuf_release(&name);
	datum_release(&part);
}

void json_put_int_or_null(struct json *j, const char *name, bool known, int64_t v)
{
	json_name(j, name);
	if (known)
		json_int(j, v);
	else
		json_null(j);
}

static void buckets(struct json *j, const struct agg_info *ai, const int64_t *count, int64_t normal)
{
	unsigned n = hist_buckets(&ai->kind);

	json_name(j, "buckets");
	json_open(j, '[');
	for (unsigned i = 0; i < n; i++) {
		if (!count[i])
			continue;
		json_open(j, '{');
		json_put_int_or_null(j, "min", hist_has_min(&ai->kind, i), hist_min(&ai->kind, i));
		json_put_int_or_null(j, "max", hist_has_max(&ai->kind, i), hist_max(&ai->kind, i));
		json_put_int(j, "count", hist_count(count, i, normal));
		json_close(j, '}');
	}
	json_close(j, ']');
}

void json_put_percent(struct json *j, uint32_t at)
{
	char text[16];

	percentile_name(at, text, sizeof(text));
	json_name(j, "percent");
	json_number(j, text);
}

void json_put_percentile(struct json *j, const struct percentile *p)
{
	json_put_int_or_null(j, "value", p->has_min && p->has_max, p->value);
	json_put_int_or_null(j, "min", p->has_min, p->min);
	json_put_int_or_null(j, "max", p->has_max, p->max);
}

static void put_percentiles(struct json *j, const struct agg_info *ai, const int64_t *count,
			    const struct percentiles *at)
{
	struct percentile p;

	json_name(j, "percentiles");
	json_open(j, '[');
	for (uint32_t i = 0; i < at->n && hist_percentile(&ai->kind, count, at->at[i], &p); i++) {
		json_open(j, '{');
		json_put_percent(j, at->at[i]);
		json_put_percentile(j, &p);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void json_agg_value(struct json *j, const struct agg_info *ai, const void *value, int64_t normal,
		    const struct percentiles *at)
{
	const struct agg_fn_def *fn = agg_fn_of(&ai->kind);

	if (fn->hist) {
		buckets(j, ai, value, normal);
		if (at->n)
			put_percentiles(j, ai, value, at);
		return;
	}
	json_put_int(j, "value", fn->result(&ai->kind, value, normal));
}
