/*
 * shape.c - formats values in the form that print() has in other implementations of DTrace. struct
 * shape describes the type of a value.
 */
#include "consumer/values/shape.h"

#include <ctype.h>
#include <string.h>

#include "base/visible.h"
#include "consumer/values/datum.h"
#include "consumer/symbols/ksyms.h"

#define INDENT 4

struct printer {
	struct strbuf *out;
	bool names; /* argument of shape_show(): print pointers by name */
};

static void show_value(const struct printer *v, const struct shape *s, const char *at, int depth);

static void indent(struct strbuf *out, int depth)
{
	for (int i = 0; i < depth * INDENT; i++)
		strbuf_addc(out, ' ');
}

static uint64_t number(const char *at, uint32_t size, bool sgn)
{
	uint64_t v = 0;

	memcpy(&v, at, size < sizeof(v) ? size : sizeof(v)); /* little-endian */
	return datum_truncate(v, size, sgn);
}

static void show_char(struct strbuf *out, char c)
{
	if (isprint((unsigned char)c))
		strbuf_addf(out, "'%c'", c);
	else if (!c)
		strbuf_adds(out, "'\\0'");
	else
		strbuf_addf(out, "'\\%03o'", (unsigned char)c);
}

int64_t shape_number(const struct shape *s, const char *at)
{
	return (int64_t)number(at, s->size, s->sgn || s->kind == SHAPE_ENUM);
}

const char *shape_enum_name(const struct shape *s, const char *at)
{
	int64_t v = shape_number(s, at);

	for (uint32_t i = 0; i < s->n; i++)
		if ((int32_t)s->tag[i].value == (int32_t)v)
			return s->tag[i].name;
	return NULL;
}

static void show_enum(struct strbuf *out, const struct shape *s, const char *at)
{
	const char *tag = shape_enum_name(s, at);

	if (tag)
		strbuf_adds(out, tag);
	else
		strbuf_addf(out, "%lld", (long long)shape_number(s, at));
}

static void show_float(struct strbuf *out, const char *at, uint32_t size)
{
	int digits = size == sizeof(float) ? 7 : size == sizeof(double) ? 15 : 18;

	strbuf_addf(out, "%+.*Le", digits, datum_float(at, size));
}

/*
 * Returns whether a pointer with the value @addr is printed by name. For a pointer to a function,
 * @addr may be anywhere in a symbol. For any other pointer, @addr must be the first byte of a
 * symbol.
 */
static bool has_name(const struct shape *s, uint64_t addr)
{
	struct ksym sym;

	return addr && ksyms_find(ksyms_kernel(), addr, &sym) && (s->function || sym.addr == addr);
}

void shape_pointer(struct strbuf *out, const struct shape *s, const char *at, bool names)
{
	uint64_t addr = number(at, s->size, false);

	if (names && has_name(s, addr))
		ksym_text(ksyms_kernel(), addr, out);
	else
		strbuf_addf(out, "%#llx", (unsigned long long)addr);
}

uint64_t shape_bits(const struct shape_member *m, const char *base)
{
	const char *at = base + m->bitoff / 8;
	uint64_t v = 0;
	uint32_t bit = m->bitoff % 8, n = (bit + m->bits + 7) / 8;

	memcpy(&v, at, n < sizeof(v) ? n : sizeof(v));
	v >>= bit;
	if (n > sizeof(v)) /* in a packed struct */
		v |= (uint64_t)(uint8_t)at[sizeof(v)] << (64 - bit);
	return v << (64 - m->bits) >> (64 - m->bits);
}

bool shape_is_text(const struct shape *array, const char *s)
{
	size_t n = array->n, len = strnlen(s, n);

	if (array->of->kind != SHAPE_CHAR)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isprint((unsigned char)s[i]) && !isspace((unsigned char)s[i]))
			return false;
	return true;
}

static void show_quoted(struct strbuf *out, const char *s, size_t n)
{
	strbuf_addc(out, '"');
	visible_add(out, s, strnlen(s, n));
	strbuf_addc(out, '"');
}

static void show_array(const struct printer *v, const struct shape *s, const char *at, int depth)
{
	bool lines = s->of->kind == SHAPE_STRUCT;

	if (shape_is_text(s, at)) {
		strbuf_adds(v->out, "[ ");
		show_quoted(v->out, at, s->n);
		strbuf_adds(v->out, " ]");
		return;
	}
	strbuf_adds(v->out, lines ? "[\n" : "[ ");
	for (uint32_t i = 0; i < s->n; i++) {
		if (lines) {
			indent(v->out, depth + 1);
			strbuf_addf(v->out, "%s ", s->of->name);
		}
		show_value(v, s->of, at + (size_t)i * s->of->size, depth + 1);
		if (i + 1 < s->n)
			strbuf_adds(v->out, lines ? "," : ", ");
		if (lines)
			strbuf_addc(v->out, '\n');
	}
	if (lines)
		indent(v->out, depth);
	strbuf_adds(v->out, lines ? "]" : " ]");
}

/* Appends the line of a member: "type name = value". */
static void show_member(const struct printer *v, const struct shape_member *m, const char *base,
			int depth)
{
	indent(v->out, depth);
	strbuf_adds(v->out, m->shape->name);
	if (m->name)
		strbuf_addf(v->out, " %s", m->name);
	if (m->bits)
		strbuf_addf(v->out, " :%u", m->bits);
	strbuf_adds(v->out, m->name || m->bits ? " = " : " ");
	if (m->bits)
		strbuf_addf(v->out, "%#llx", (unsigned long long)shape_bits(m, base));
	else
		show_value(v, m->shape, base + m->bitoff / 8, depth);
	strbuf_addc(v->out, '\n');
}

static void show_value(const struct printer *v, const struct shape *s, const char *at, int depth)
{
	switch (s->kind) {
	case SHAPE_INT:
		strbuf_addf(v->out, "%#llx", (unsigned long long)number(at, s->size, false));
		return;
	case SHAPE_CHAR:
		show_char(v->out, *at);
		return;
	case SHAPE_FLOAT:
		show_float(v->out, at, s->size);
		return;
	case SHAPE_ENUM:
		show_enum(v->out, s, at);
		return;
	case SHAPE_POINTER:
		shape_pointer(v->out, s, at, v->names);
		return;
	case SHAPE_STRING:
		show_quoted(v->out, at, s->size);
		return;
	case SHAPE_ARRAY:
		show_array(v, s, at, depth);
		return;
	case SHAPE_STRUCT:
		strbuf_adds(v->out, "{\n");
		for (uint32_t i = 0; i < s->n; i++)
			show_member(v, &s->member[i], at, depth + 1);
		indent(v->out, depth);
		strbuf_addc(v->out, '}');
		return;
	}
}

void shape_value(struct strbuf *out, const struct shape *s, const char *at, bool names)
{
	show_value(&(struct printer){out, names}, s, at, 0);
}

void shape_show(struct strbuf *out, const struct shape *s, const char *bytes, bool names)
{
	struct printer v = {out, names};

	strbuf_addf(out, "%s ", s->name);
	show_value(&v, s, bytes, 0);
	strbuf_addc(out, '\n');
}
