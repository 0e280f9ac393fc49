/*
 * printf.c - formats values for printf() and printa().
 *
 * The compiler has parsed the format string (ir/format.h). Integers are formatted here and not by
 * the C library's printf(), because their size is known only at run time.
 */
#include "consumer/values/printf.h"

#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/strbuf.h"
#include "base/visible.h"
#include "agg/agg.h"
#include "consumer/values/datum.h"
#include "consumer/values/hist.h"
#include "consumer/symbols/ksyms.h"
#include "consumer/values/resolver.h"
#include "consumer/symbols/stack.h"
#include "ir/format.h"
#include "ir/program.h"

/* A conversion in which each '*' has been replaced by a value. */
struct spec {
	const struct conv *conv;
	uint32_t flags;
	int32_t width, prec;
	char letter; /* last character of the conversion's name */
	bool raw;    /* fmt_args.raw: do not escape text */
};

/* The values, and the indices of the next argument and the next aggregation. */
struct cursor {
	const struct fmt_args *args;
	uint32_t arg, agg;
};

static void repeat(struct strbuf *out, char c, long n)
{
	while (n-- > 0)
		strbuf_addc(out, c);
}

/* Appends @sign, @zeros zeros and then @s, padded with blanks to the width of the conversion. */
static void field(struct strbuf *out, const struct spec *sp, const char *sign, long zeros,
		  const char *s, size_t len)
{
	long blanks = sp->width - (long)(strlen(sign) + len) - (zeros > 0 ? zeros : 0);

	if (!(sp->flags & CONV_LEFT))
		repeat(out, ' ', blanks);
	strbuf_adds(out, sign);
	repeat(out, '0', zeros);
	strbuf_add(out, s, len);
	if (sp->flags & CONV_LEFT)
		repeat(out, ' ', blanks);
}

/* -------------------------------------------------------------------- numbers */

/*
 * Writes the digits of @v in front of @end and returns the first digit. With the flag ' ("%'d"), a
 * separator comes between groups of three digits.
 */
static char *digits(char *end, uint64_t v, const struct spec *sp)
{
	const char *set = sp->letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	unsigned base = sp->letter == 'o' ? 8 : strchr("xXp", sp->letter) ? 16 : 10;
	const char *sep = localeconv()->thousands_sep;
	int n = 0;

	for (; v; v /= base) {
		if (n && n % 3 == 0 && base == 10 && (sp->flags & CONV_GROUP))
			*--end = *sep ? *sep : ',';
		*--end = set[v % base];
		n++;
	}
	return end;
}

static const char *sign_of(const struct spec *sp, uint64_t mag, bool sgn, bool negative)
{
	if (negative)
		return "-";
	if (sgn && (sp->flags & CONV_PLUS))
		return "+";
	if (sgn && (sp->flags & CONV_SPACE))
		return " ";
	if (mag && (sp->flags & CONV_ALT) && strchr("xp", sp->letter))
		return "0x";
	return mag && (sp->flags & CONV_ALT) && sp->letter == 'X' ? "0X" : "";
}

static void show_number(struct strbuf *out, const struct spec *sp, uint64_t v, bool sgn)
{
	bool negative = sgn && (int64_t)v < 0;
	uint64_t mag = negative ? -v : v;
	char buf[48], *end = buf + sizeof(buf), *p = digits(end, mag, sp);
	const char *sign = sign_of(sp, mag, sgn, negative);
	long len = end - p, zeros = (sp->prec < 0 ? 1 : sp->prec) - len;

	if ((sp->flags & CONV_ALT) && sp->letter == 'o' && zeros <= 0)
		zeros = 1;
	if ((sp->flags & CONV_ZERO) && !(sp->flags & CONV_LEFT) && sp->prec < 0 &&
	    sp->width - (long)strlen(sign) - len > zeros)
		zeros = sp->width - (long)strlen(sign) - len;
	field(out, sp, sign, zeros, p, (size_t)len);
}

/* Appends the integer @v, whose type has @size bytes. @sgn says whether the type is signed. */
static void show_int(struct strbuf *out, const struct spec *sp, uint64_t v, uint32_t size, bool sgn)
{
	if (sp->letter == 'i')
		sgn = true;
	else if (sp->letter != 'd')
		sgn = false;
	show_number(out, sp, datum_truncate(v, size, sgn), sgn);
}

static uint64_t number(const struct datum *d)
{
	uint64_t v = 0;

	if (d->kind == FIELD_INT || d->kind == FIELD_UINT)
		return d->num;
	memcpy(&v, d->s, d->len < sizeof(v) ? d->len : sizeof(v));
	return v;
}

static void show_float(struct strbuf *out, const struct spec *sp, const struct datum *d)
{
	char form[] = {'%', '#', '.', '*', 'L', sp->letter, '\0'}, text[512];
	int len;

	if (!(sp->flags & CONV_ALT))
		memmove(form + 1, form + 2, sizeof(form) - 2);
	len = snprintf(text, sizeof(text), form, sp->prec < 0 ? 6 : sp->prec,
		       datum_float(d->s, d->len));
	field(out, sp, "", 0, text, len < (int)sizeof(text) ? (size_t)len : sizeof(text) - 1);
}

/* ----------------------------------------------------------------------- text */

static void show_text(struct strbuf *out, const struct spec *sp, const char *s, size_t len)
{
	if (sp->prec >= 0 && len > (size_t)sp->prec)
		len = (size_t)sp->prec;
	field(out, sp, "", 0, s, len);
}

/* Appends text that is not a literal of the program. The text is escaped. */
static void show_visible(struct strbuf *out, const struct spec *sp, const char *s, size_t len)
{
	struct strbuf b = {0};

	visible_add(&b, s, len);
	show_text(out, sp, strbuf_text(&b), b.len);
	strbuf_release(&b);
}

static void show_data(struct strbuf *out, const struct spec *sp, bool safe, const char *s,
		      size_t len)
{
	if (safe || sp->raw)
		show_text(out, sp, s, len);
	else
		show_visible(out, sp, s, len);
}

/* Appends text with the escapes of a D string literal: \n, \", \033. */
static void escape(struct strbuf *out, const char *s, size_t len)
{
	static const char from[] = "\a\b\f\n\r\t\v\"\\", to[] = "abfnrtv\"\\";

	for (size_t i = 0; i < len; i++) {
		const char *at = s[i] ? strchr(from, s[i]) : NULL;

		if (!s[i])
			strbuf_adds(out, "\\0");
		else if (at)
			strbuf_addf(out, "\\%c", to[at - from]);
		else if (s[i] < ' ' || s[i] > '~')
			strbuf_addf(out, "\\%03o", (unsigned char)s[i]);
		else
			strbuf_addc(out, s[i]);
	}
}

static void show_escaped(struct strbuf *out, const struct spec *sp, const char *s, size_t len)
{
	struct strbuf b = {0};

	escape(&b, s, len);
	show_text(out, sp, strbuf_text(&b), b.len);
	strbuf_release(&b);
}

static void show_char(struct strbuf *out, const struct spec *sp, const struct datum *d)
{
	char c = (char)number(d);

	if (sp->letter == 'C')
		show_escaped(out, sp, &c, 1);
	else if (d->safe || sp->raw)
		field(out, sp, "", 0, &c, 1);
	else
		show_visible(out, sp, &c, 1);
}

static void show_string(struct strbuf *out, const struct spec *sp, const struct datum *d)
{
	size_t len = strnlen(d->s, d->len);

	if (d->kind == FIELD_INT || d->kind == FIELD_UINT)
		show_number(out, sp, d->num, d->kind == FIELD_INT);
	else if (sp->letter == 'S')
		show_escaped(out, sp, d->s, len);
	else
		show_data(out, sp, d->safe, d->s, len);
}

/* ------------------------------------------------------------ times and names */

/*
 * Writes a time as ISO 8601 (RFC 3339) with milliseconds, such as 2023-11-14T22:13:20.007+01:00.
 * Returns the length of the text.
 */
static size_t iso_time(char *text, size_t size, const struct tm *tm, unsigned ms)
{
	size_t n = strftime(text, size, "%Y-%m-%dT%H:%M:%S", tm);
	long minutes = tm->tm_gmtoff / 60;

	return n + (size_t)snprintf(text + n, size - n, ".%03u%c%02ld:%02ld", ms,
				    minutes < 0 ? '-' : '+', labs(minutes) / 60,
				    labs(minutes) % 60);
}

/* A precision of %Y keeps the end of the text: %.8Y is the time of day. */
static void show_time(struct strbuf *out, const struct spec *sp, int64_t ns)
{
	const char *form = sp->letter == 'Y' ? "%Y %b %e %H:%M:%S" : "%a, %d %b %Y %H:%M:%S %Z";
	time_t sec = ns / 1000000000 - (ns % 1000000000 < 0);
	unsigned ms = (unsigned)((ns - sec * 1000000000) / 1000000);
	struct tm tm = {0};
	char text[128];
	size_t n, from = 0;

	localtime_r(&sec, &tm);
	if (sp->letter == 'Y' && sp->flags & CONV_ALT)
		n = iso_time(text, sizeof(text), &tm, ms);
	else
		n = strftime(text, sizeof(text), form, &tm);
	if (sp->letter == 'Y' && sp->prec > 0 && (size_t)sp->prec < n)
		from = n - (size_t)sp->prec;
	show_text(out, sp, text + from, n - from);
}

/*
 * Appends the name of a symbol that usym() or a similar function recorded, or the name of a kernel
 * address.
 */
static void show_symbol(struct strbuf *out, const struct spec *sp, const struct datum *d)
{
	struct strbuf b = {0};

	if (d->kind >= FIELD_SYM) {
		show_data(out, sp, false, d->s, d->len);
		return;
	}
	if (sp->letter == 'A')
		strbuf_addf(&b, "0x%" PRIx64, number(d));
	else
		ksym_text(ksyms_kernel(), number(d), &b);
	show_text(out, sp, b.s, b.len);
	strbuf_release(&b);
}

/*
 * Appends a stack. The width of the conversion applies to each line. With the flag '-', the lines
 * are left-justified and are also indented by the width.
 */
static void show_stack(struct strbuf *out, const struct spec *sp, const struct datum *d)
{
	bool left = sp->flags & CONV_LEFT;

	int indent = left ? sp->width : 0, width = left ? -sp->width : sp->width;

	if (d->kind == FIELD_USTACK)
		ustack_show(out, d->s, d->len / 8, indent, width);
	else
		stack_show(out, d->s, d->len / 8, NULL, indent, width);
}

static void show_port(struct strbuf *out, const struct spec *sp, uint16_t port,
		      const struct resolver *resolver)
{
	const char *name = resolver ? resolver_service(port) : NULL;
	char text[8];

	if (name)
		show_text(out, sp, name, strlen(name));
	else
		show_text(out, sp, text, (size_t)snprintf(text, sizeof(text), "%u", port));
}

static void show_host(struct strbuf *out, const struct spec *sp, const struct datum *d,
		      struct resolver *resolver)
{
	size_t len = strnlen(d->s, d->len);
	const char *name = resolver ? resolver_host(resolver, d->s, len) : NULL;

	if (name)
		show_data(out, sp, false, name, strlen(name));
	else
		show_data(out, sp, d->safe, d->s, len);
}

/* -------------------------------------------------------------- the conversions */

static const struct datum *next_arg(struct cursor *cur)
{
	static const struct datum none = {.kind = FIELD_INT, .size = 8, .s = ""};

	return cur->arg < cur->args->narg ? &cur->args->arg[cur->arg++] : &none;
}

/*
 * Makes a struct spec: replaces each '*' of the conversion by the value of the next argument. As in
 * C, a negative width is the same as the flag '-'. A precision of 0 means no precision, for numbers
 * and for strings. Width and precision are limited, because the result is built in memory.
 */
static struct spec resolve(const struct conv *c, struct cursor *cur)
{
	size_t len = strlen(c->def->name);
	struct spec sp = {c, c->flags, c->width, c->prec, c->def->name[len - 1], cur->args->raw};

	if (c->flags & CONV_DYNWIDTH)
		sp.width = (int32_t)number(next_arg(cur));
	if (sp.width < 0 && (c->flags & CONV_DYNWIDTH)) {
		sp.flags |= CONV_LEFT;
		sp.width = sp.width == INT32_MIN ? 0 : -sp.width;
	}
	if (sp.width > CONV_COLUMNS_MAX)
		sp.width = CONV_COLUMNS_MAX;
	if (c->flags & CONV_DYNPREC)
		sp.prec = (int32_t)number(next_arg(cur));
	if (sp.prec <= 0)
		sp.prec = -1;
	if (sp.prec > CONV_COLUMNS_MAX)
		sp.prec = CONV_COLUMNS_MAX;
	return sp;
}

static void show_agg(struct strbuf *out, const struct spec *sp, struct cursor *cur)
{
	const struct fmt_args *args = cur->args;
	const struct agg_fn_def *fn;
	const struct fmt_agg *a;

	if (!args->nagg)
		return;
	a = &args->agg[cur->agg];
	if (cur->agg + 1 < args->nagg)
		cur->agg++;
	fn = agg_fn_of(&a->ai->kind);
	if (fn->hist)
		hist_show(out, &a->ai->kind, a->value, a->normal, args->style);
	else if (sp->conv->def->want == WANT_TIME)
		show_time(out, sp, fn->result(&a->ai->kind, a->value, a->normal));
	else
		show_int(out, sp, (uint64_t)fn->result(&a->ai->kind, a->value, a->normal), 8, true);
}

static void show_arg(struct strbuf *out, const struct spec *sp, struct cursor *cur)
{
	const struct datum *d = next_arg(cur);

	switch (sp->conv->def->want) {
	case WANT_NONE:
		break;
	case WANT_INT:
	case WANT_SINT:
	case WANT_PTR:
		show_int(out, sp, number(d), d->size, d->kind == FIELD_INT);
		break;
	case WANT_CHAR:
		show_char(out, sp, d);
		break;
	case WANT_STRING:
		show_string(out, sp, d);
		break;
	case WANT_ADDR:
		show_symbol(out, sp, d);
		break;
	case WANT_STACK:
		show_stack(out, sp, d);
		break;
	case WANT_TIME:
		show_time(out, sp, (int64_t)number(d));
		break;
	case WANT_FLOAT:
		show_float(out, sp, d);
		break;
	case WANT_PORT:
		show_port(out, sp, (uint16_t)number(d), cur->args->resolver);
		break;
	case WANT_HOST:
		show_host(out, sp, d, cur->args->resolver);
		break;
	}
}

/*
 * Returns the conversion that prints argument @i, or NULL if the argument is a width or a
 * precision.
 */
static const struct conv *conv_of(const struct format *f, uint32_t i)
{
	uint32_t at = 0;

	for (uint32_t k = 0; k < f->nconv; k++) {
		const struct conv *c = &f->conv[k];

		if (!c->def || c->def->want == WANT_NONE || (c->flags & CONV_AGG))
			continue;
		at += !!(c->flags & CONV_DYNWIDTH) + !!(c->flags & CONV_DYNPREC);
		if (at++ == i)
			return c;
	}
	return NULL;
}

bool fmt_shows(const struct format *f, uint32_t i)
{
	return conv_of(f, i) != NULL;
}

enum conv_want fmt_wants(const struct format *f, uint32_t i)
{
	const struct conv *c = conv_of(f, i);

	return c ? c->def->want : WANT_INT;
}

void fmt_show(struct strbuf *out, const struct format *f, const struct fmt_args *args)
{
	struct cursor cur = {args, 0, 0};

	for (uint32_t i = 0; i < f->nconv; i++) {
		const struct conv *c = &f->conv[i];
		struct spec sp;

		strbuf_add(out, c->lit, c->litlen);
		if (!c->def)
			continue;
		if (c->def->want == WANT_NONE) {
			strbuf_addc(out, '%');
			continue;
		}
		sp = resolve(c, &cur);
		if (c->flags & CONV_AGG)
			show_agg(out, &sp, &cur);
		else
			show_arg(out, &sp, &cur);
	}
}
