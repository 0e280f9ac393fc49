/*
 * datum.c - reads a recorded value, and prints it without a format string. printf.c prints values
 * by a format string.
 */
#include "consumer/values/datum.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "consumer/values/dstr.h"
#include "consumer/symbols/ksyms.h"
#include "consumer/symbols/stack.h"
#include "consumer/symbols/usyms.h"

/* ------------------------------------------------------------------- reading */

uint64_t datum_truncate(uint64_t num, uint32_t size, bool sgn)
{
	switch (size) {
	case 1:
		return sgn ? (uint64_t)(int8_t)num : (uint8_t)num;
	case 2:
		return sgn ? (uint64_t)(int16_t)num : (uint16_t)num;
	case 4:
		return sgn ? (uint64_t)(int32_t)num : (uint32_t)num;
	}
	return num;
}

static uint64_t read_int(const void *p, uint32_t size, bool sgn)
{
	uint64_t v = 0;

	if (size > sizeof(v))
		BUG("an integer of %u bytes", size);
	memcpy(&v, p, size); /* little-endian: the low bytes come first */
	return datum_truncate(v, size, sgn);
}

static void read_number(const struct program *p, const struct field *f, const char *at,
			struct datum *d)
{
	(void)p;
	d->num = read_int(at, f->size, f->kind == FIELD_INT);
}

static void read_bytes(const struct program *p, const struct field *f, const char *at,
		       struct datum *d)
{
	(void)p, (void)f, (void)at, (void)d; /* datum_read() has already set d->s and d->len */
}

static void read_stack(const struct program *p, const struct field *f, const char *at,
		       struct datum *d)
{
	(void)p;
	d->len = 8 * stack_read(at, f->size, NULL, &d->s);
}

static void read_ustack(const struct program *p, const struct field *f, const char *at,
			struct datum *d)
{
	(void)p;
	d->len = 8 * ustack_read(at, f->size, &d->s);
}

static bool all_zero(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i])
			return false;
	return true;
}

static void read_string(const struct program *p, const struct field *f, const char *at,
			struct datum *d)
{
	uint32_t tag;

	memcpy(&tag, at, sizeof(tag));
	d->safe |= tag == DSTR_INTERN;
	if (tag == DSTR_TEXT) {
		d->s = at + 4;
		d->len = strnlen(d->s, f->size - 4);
		if (d->len < f->array && !all_zero(d->s + d->len, f->array - d->len))
			d->len = f->array;
		return;
	}
	strbuf_reset(&d->text);
	dstr_text(p, at, f->size, &d->text);
	d->s = d->text.s ? d->text.s : "";
	d->len = d->text.len;
}

/*
 * Reads the name of a symbol, and not only its address, so that addresses with the same name are
 * the same key.
 */
static void read_symbol(const struct program *p, const struct field *f, const char *at,
			struct datum *d)
{
	struct uaddr u = {0};

	(void)p;
	strbuf_reset(&d->text);
	if (f->size == sizeof(u)) {
		memcpy(&u, at, sizeof(u));
		usym_text(u.pid, u.addr,
			  f->kind == FIELD_UMOD   ? USYM_OBJECT
			  : f->kind == FIELD_USYM ? USYM_NAME
						  : USYM_OFFSET,
			  &d->text);
		d->num = u.addr;
	} else {
		memcpy(&d->num, at, sizeof(d->num));
		ksym_name(ksyms_kernel(), d->num, f->kind == FIELD_MOD, &d->text);
	}
	d->s = d->text.s;
	d->len = d->text.len;
}

void datum_release(struct datum *d)
{
	strbuf_release(&d->text);
}

int datum_cmp(const struct datum *a, const struct datum *b)
{
	size_t n = a->len < b->len ? a->len : b->len;
	int c;

	if (a->kind == FIELD_INT || a->kind == FIELD_UINT)
		return (a->num > b->num) - (a->num < b->num);
	c = n ? memcmp(a->s, b->s, n) : 0;
	return c ? c : (a->len > b->len) - (a->len < b->len);
}

/* ------------------------------------------------------------------- showing */

static void pad(struct strbuf *out, size_t n)
{
	static const char blanks[] = "                                                  ";

	for (; n >= sizeof(blanks) - 1; n -= sizeof(blanks) - 1)
		strbuf_add(out, blanks, sizeof(blanks) - 1);
	strbuf_add(out, blanks, n);
}

/* Does the same as datum_is_text() for a text of @len bytes. */
static bool is_text(const char *s, size_t len)
{
	uint32_t cp;

	for (size_t i = 0, n; i < len; i += n) {
		n = 1;
		if (s[i] >= ' ' && s[i] < 0x7f)
			continue;
		n = utf8_char((const unsigned char *)s + i, len - i, &cp);
		if (!n || cp == 0x7f || (cp >= 0x80 && cp < 0xa0))
			return false;
		if (cp < ' ' && !(cp >= '\a' && cp <= '\r'))
			return false;
	}
	return true;
}

static void dump_row(struct strbuf *out, size_t at, const unsigned char *s, size_t n)
{
	strbuf_addf(out, "     %5zx:", at);
	for (size_t i = 0; i < 16; i++) {
		if (i < n)
			strbuf_addf(out, " %02x", s[i]);
		else
			pad(out, 3);
	}
	pad(out, 2);
	for (size_t i = 0; i < n; i++)
		strbuf_addc(out, s[i] < ' ' || s[i] > '~' ? '.' : (char)s[i]);
	strbuf_addc(out, '\n');
}

/* Prints @len bytes in hexadecimal, and then zeros up to @room bytes. */
static void hex_dump(struct strbuf *out, const char *s, size_t len, size_t room)
{
	unsigned char row[16];

	strbuf_addc(out, '\n');
	pad(out, 11);
	for (int i = 0; i < 16; i++)
		strbuf_addf(out, "  %x", i);
	strbuf_adds(out, "  0123456789abcdef\n");
	for (size_t at = 0; at < room; at += sizeof(row)) {
		size_t n = room - at < sizeof(row) ? room - at : sizeof(row);

		memset(row, 0, sizeof(row));
		if (at < len)
			memcpy(row, s + at, len - at < n ? len - at : n);
		dump_row(out, at, row, n);
	}
}

void datum_dump(struct strbuf *out, const char *s, size_t len)
{
	hex_dump(out, s, len, len);
}

static void show_text(struct strbuf *out, const struct datum *d, size_t len, int width, bool quiet)
{
	size_t from;

	if (!quiet)
		strbuf_add(out, "  ", 2);
	from = out->len;
	if (d->safe)
		strbuf_add(out, d->s, len);
	else
		visible_add(out, d->s, len);
	if (!quiet && out->len - from < (size_t)width)
		pad(out, (size_t)width - (out->len - from));
}

static size_t digits_of(uint64_t v)
{
	size_t n = 1;

	for (uint64_t least = 10; v >= least; least *= 10)
		if (++n == 20) /* 10 to the power of 20 does not fit in 64 bits */
			break;
	return n;
}

/* Writes @v in decimal, so that its last digit is before @end. */
static void put_digits(char *end, uint64_t v)
{
	static const char pair[] = "00010203040506070809101112131415161718192021222324"
				   "25262728293031323334353637383940414243444546474849"
				   "50515253545556575859606162636465666768697071727374"
				   "75767778798081828384858687888990919293949596979899";

	for (; v >= 100; v /= 100)
		memcpy(end -= 2, &pair[2 * (v % 100)], 2);
	if (v >= 10)
		memcpy(end - 2, &pair[2 * v], 2);
	else
		end[-1] = (char)('0' + v);
}

void datum_int(struct strbuf *out, int64_t v, int width)
{
	uint64_t mag = v < 0 ? -(uint64_t)v : (uint64_t)v;
	size_t len = digits_of(mag) + (v < 0), wide = width > 0 ? (size_t)width : 0;
	char *at;

	if (wide < len)
		wide = len;
	at = strbuf_extend(out, wide);
	memset(at, ' ', wide - len);
	if (v < 0)
		at[wide - len] = '-';
	put_digits(at + wide, mag);
}

void datum_number(struct strbuf *out, const struct datum *d, int width)
{
	char text[24];

	if (d->kind == FIELD_INT || (!d->address && d->num <= INT64_MAX)) {
		datum_int(out, (int64_t)d->num, width);
		return;
	}
	snprintf(text, sizeof(text), d->address ? "0x%" PRIx64 : "%" PRIu64, d->num);
	strbuf_addf(out, "%*s", width, text);
}

static void show_int(struct strbuf *out, const struct datum *d, bool quiet)
{
	int width = d->size == 8 ? 16 : d->size == 4 ? 8 : d->size == 2 ? 5 : 3;

	if (!quiet)
		strbuf_addc(out, ' ');
	datum_number(out, d, quiet ? 0 : width);
}

static void show_bytes(struct strbuf *out, const struct datum *d, int width, bool quiet, bool raw)
{
	size_t len;

	if (!raw && datum_is_c_string(d, &len))
		show_text(out, d, len, width, quiet);
	else
		hex_dump(out, d->s, d->size, d->size);
}

bool datum_is_c_string(const struct datum *d, size_t *len)
{
	*len = strnlen(d->s, d->size);
	return *len && all_zero(d->s + *len, d->size - *len) && is_text(d->s, *len);
}

bool datum_is_text(const struct datum *d)
{
	return is_text(d->s, d->len);
}

/* The arguments of datum_show(). */
struct style {
	int width;
	bool quiet, raw;
	int indent;
};

static void show_number(struct strbuf *out, const struct datum *d, const struct style *l)
{
	show_int(out, d, l->quiet);
}

static void show_stack(struct strbuf *out, const struct datum *d, const struct style *l)
{
	stack_show(out, d->s, d->len / 8, NULL, l->indent, 0);
}

static void show_ustack(struct strbuf *out, const struct datum *d, const struct style *l)
{
	ustack_show(out, d->s, d->len / 8, l->indent, 0);
}

static void show_string(struct strbuf *out, const struct datum *d, const struct style *l)
{
	size_t room = d->size - 4 > d->len ? d->size - 4 : d->len;

	if (l->raw || !is_text(d->s, d->len))
		hex_dump(out, d->s, d->len, room);
	else
		show_text(out, d, d->len, l->width, l->quiet);
}

static void show_memory(struct strbuf *out, const struct datum *d, const struct style *l)
{
	struct datum n = {.kind = FIELD_UINT, .size = d->size};

	if (d->size == 1 || d->size == 2 || d->size == 4 || d->size == 8) {
		n.num = read_int(d->s, d->size, false);
		show_int(out, &n, l->quiet);
		return;
	}
	show_bytes(out, d, l->width, l->quiet, l->raw);
}

/* Prints a symbol. As in DTrace, symbols have the width of keys even in trace(). */
static void show_symbol(struct strbuf *out, const struct datum *d, const struct style *l)
{
	(void)l;
	show_text(out, d, d->len, DATUM_KEY_WIDTH, false);
}

bool datum_next_frame(const struct datum *d, size_t *at, const char **line, size_t *len)
{
	const char *end;

	if (*at >= d->len)
		return false;
	*line = d->s + *at;
	end = memchr(*line, '\n', d->len - *at);
	*len = end ? (size_t)(end - *line) : d->len - *at;
	*at += *len + 1;
	return true;
}

/* Prints a stack that is stored as text. The form is that of stack_show(). */
static void show_frames(struct strbuf *out, const struct datum *d, const struct style *l)
{
	const char *line;
	size_t at = 0, len;

	strbuf_addc(out, '\n');
	while (datum_next_frame(d, &at, &line, &len)) {
		pad(out, (size_t)l->indent);
		visible_add(out, line, len);
		strbuf_addc(out, '\n');
	}
}

/* ------------------------------------------------------------------ the kinds */

/*
 * For each kind of field: how it is stored in a canonical key, and the functions that read and
 * print it.
 */
static const struct kind_ops {
	enum datum_encoding encoding;
	void (*read)(const struct program *p, const struct field *f, const char *at,
		     struct datum *d);
	void (*show)(struct strbuf *out, const struct datum *d, const struct style *l);
} kinds[FIELD_KIND_MAX] = {
	[FIELD_INT] = {DATUM_NUMBER, read_number, show_number},
	[FIELD_UINT] = {DATUM_NUMBER, read_number, show_number},
	[FIELD_STRING] = {DATUM_SIZED, read_string, show_string},
	[FIELD_BYTES] = {DATUM_FIXED, read_bytes, show_memory},
	[FIELD_STACK] = {DATUM_SIZED, read_stack, show_stack},
	[FIELD_USTACK] = {DATUM_SIZED, read_ustack, show_ustack},
	[FIELD_SYM] = {DATUM_SIZED, read_symbol, show_symbol},
	[FIELD_MOD] = {DATUM_SIZED, read_symbol, show_symbol},
	[FIELD_USYM] = {DATUM_SIZED, read_symbol, show_symbol},
	[FIELD_UMOD] = {DATUM_SIZED, read_symbol, show_symbol},
	[FIELD_UADDR] = {DATUM_SIZED, read_symbol, show_symbol},
	[FIELD_FRAMES] = {DATUM_SIZED, read_string, show_frames},
	[FIELD_UFRAMES] = {DATUM_SIZED, read_string, show_frames},
};

enum datum_encoding datum_encoding(enum field_kind kind)
{
	return kinds[kind].encoding;
}

void datum_read(const struct program *p, const struct field *f, const void *base, struct datum *d)
{
	const char *at = (const char *)base + f->off;

	d->kind = f->kind;
	d->size = f->array ? f->array + 4 : f->size;
	d->label = f->label;
	d->fixed = f->fixed;
	d->layout = f->layout;
	d->address = f->address;
	d->safe = f->fixed || f->own;
	d->num = 0;
	d->s = at;
	d->len = f->size;
	kinds[f->kind].read(p, f, at, d);
}

void datum_show(struct strbuf *out, const struct datum *d, int width, bool quiet, bool raw,
		int indent)
{
	const struct style l = {width, quiet, raw, indent};

	kinds[d->kind].show(out, d, &l);
}

long double datum_float(const char *at, size_t size)
{
	long double l = 0;
	double d = 0;
	float f = 0;

	if (size == sizeof(f)) {
		memcpy(&f, at, sizeof(f));
		return (long double)f;
	}
	if (size == sizeof(d)) {
		memcpy(&d, at, sizeof(d));
		return (long double)d;
	}
	if (size == sizeof(l))
		memcpy(&l, at, sizeof(l));
	return l;
}
