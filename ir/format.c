/*
 * format.c - parses the format strings of printf() and printa().
 *
 * The table of conversions is here. The compiler checks arguments with the table, and the consumer
 * prints them.
 */
#include "ir/format.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

/* ------------------------------------------------------------ the conversions */

#define ANY_INT "char, short, int, long, or long long"
#define ANY_STR "char [] or string (or use stringof)"
#define ANY_PTR "pointer or integer"
#define ANY_FLOAT "float, double, or long double"

/* The six integer conversions that begin with one size prefix. */
#define SIZED(prefix, sgn, uns) \
	{prefix "d", WANT_SINT, sgn}, {prefix "i", WANT_SINT, sgn}, {prefix "o", WANT_SINT, uns}, \
		{prefix "u", WANT_SINT, uns}, {prefix "x", WANT_SINT, uns}, \
	{ \
		prefix "X", WANT_SINT, uns \
	}

static const struct conv_def defs[] = {
	/* the name, the accepted type, and the type in messages */
	{"%", WANT_NONE, "void"},
	{"a", WANT_ADDR, ANY_PTR},
	{"A", WANT_ADDR, ANY_PTR},
	{"c", WANT_CHAR, "char, short, or int"},
	{"C", WANT_CHAR, "char, short, or int"},
	{"d", WANT_INT, ANY_INT},
	{"i", WANT_INT, ANY_INT},
	{"o", WANT_INT, ANY_INT},
	{"u", WANT_INT, ANY_INT},
	{"x", WANT_INT, ANY_INT},
	{"X", WANT_INT, ANY_INT},
	SIZED("hh", "char", "unsigned char"),
	SIZED("h", "short", "unsigned short"),
	SIZED("l", "long", "unsigned long"),
	SIZED("ll", "long long", "unsigned long long"),
	{"e", WANT_FLOAT, ANY_FLOAT},
	{"E", WANT_FLOAT, ANY_FLOAT},
	{"f", WANT_FLOAT, ANY_FLOAT},
	{"g", WANT_FLOAT, ANY_FLOAT},
	{"G", WANT_FLOAT, ANY_FLOAT},
	{"Le", WANT_FLOAT, "long double"},
	{"LE", WANT_FLOAT, "long double"},
	{"Lf", WANT_FLOAT, "long double"},
	{"Lg", WANT_FLOAT, "long double"},
	{"LG", WANT_FLOAT, "long double"},
	{"I", WANT_HOST, ANY_STR},
	{"k", WANT_STACK, "stack"},
	{"lc", WANT_CHAR, "int"},
	{"wc", WANT_CHAR, "int"},
	{"p", WANT_PTR, ANY_PTR},
	{"P", WANT_PORT, "uint16_t"},
	{"s", WANT_STRING, ANY_STR},
	{"S", WANT_STRING, ANY_STR},
	{"ls", WANT_STRING, "wchar_t []"},
	{"ws", WANT_STRING, "wchar_t []"},
	{"T", WANT_TIME, "int64_t"},
	{"Y", WANT_TIME, "int64_t"},
};

/* The sizes in bytes that prefixes stand for. */
static const struct {
	const char *prefix;
	uint8_t size;
} sizes[] = {{"hh", 1}, {"h", 2}, {"ll", 8}, {"l", 8}};

static const struct conv_def *find_def(const char *s, size_t len)
{
	for (size_t i = 0; i < sizeof(defs) / sizeof(defs[0]); i++)
		if (strlen(defs[i].name) == len && !memcmp(defs[i].name, s, len))
			return &defs[i];
	return NULL;
}

/* -------------------------------------------------------------------- parsing */

struct parse {
	struct arena *arena;
	const char *p;
	unsigned n; /* number of the conversion, from 1 */
	const char **err;
};

static int fail(struct parse *f, const char *what)
{
	*f->err = arena_printf(f->arena, "format conversion #%u %s", f->n, what);
	return -1;
}

static uint32_t flag_of(char c)
{
	switch (c) {
	case '#':
		return CONV_ALT;
	case '0':
		return CONV_ZERO;
	case '-':
		return CONV_LEFT;
	case '+':
		return CONV_PLUS;
	case ' ':
		return CONV_SPACE;
	case '\'':
		return CONV_GROUP;
	case '@':
		return CONV_AGG;
	}
	return 0;
}

/* number = digit+ */
static int parse_number(struct parse *f, int32_t *out)
{
	int32_t v = 0;

	for (; isdigit((unsigned char)*f->p); f->p++) {
		v = v * 10 + (*f->p - '0');
		if (v > CONV_COLUMNS_MAX)
			return fail(f, "has a width or precision that is too large");
	}
	*out = v;
	return 0;
}

/* width = number | "*" | "?"; '?' is the width of a pointer in hex */
static int parse_width(struct parse *f, struct conv *c)
{
	if (*f->p == '*') {
		c->flags |= CONV_DYNWIDTH;
		if (*++f->p == '*')
			return fail(f, "has more than one '*' specified for the output width");
	} else if (*f->p == '?') {
		c->width = 16;
		f->p++;
	} else if (isdigit((unsigned char)*f->p)) {
		return parse_number(f, &c->width);
	}
	return 0;
}

/* precision = "." [number | "*"] */
static int parse_prec(struct parse *f, struct conv *c)
{
	if (*f->p != '.')
		return 0;
	if (*++f->p != '*')
		return parse_number(f, &c->prec);
	c->flags |= CONV_DYNPREC;
	if (*++f->p == '*')
		return fail(f, "has more than one '*' specified for the output precision");
	return 0;
}

/* Reports an error if the name of a conversion begins with a character that is a known mistake. */
static int bad_name(struct parse *f)
{
	switch (*f->p) {
	case '\0':
		return fail(f, "name expected before end of format string");
	case '.':
		return fail(f, "has more than one '.' specified");
	case '$':
		return fail(f, "uses unsupported positional format (%n$)");
	}
	return 0;
}

/* name = ["hh" | "h" | "l" | "ll" | "L" | "w"] letter; "%%" has neither flags nor width */
static int parse_name(struct parse *f, struct conv *c)
{
	size_t len = strspn(f->p, "hlLw");

	if (bad_name(f))
		return -1;
	if (f->p[len])
		len++;
	c->def = find_def(f->p, len);
	if (!c->def) {
		*f->err = arena_printf(f->arena, "format conversion #%u is undefined: %%%.*s", f->n,
				       (int)len, f->p);
		return -1;
	}
	if (c->def->want == WANT_NONE && f->p[-1] != '%')
		return fail(f, "is %%, which takes no flags, width or precision");
	for (size_t i = 0; c->def->want == WANT_SINT && !c->size; i++)
		if (!strncmp(f->p, sizes[i].prefix, strlen(sizes[i].prefix)))
			c->size = sizes[i].size;
	f->p += len;
	return 0;
}

/* conversion = "%" flag* [width] [precision] name; a precision of 0 counts as none */
static int parse_conv(struct parse *f, struct conv *c)
{
	f->p++;
	f->n++;
	for (uint32_t flag; (flag = flag_of(*f->p)); f->p++)
		c->flags |= flag;
	if (parse_width(f, c) || parse_prec(f, c))
		return -1;
	for (; *f->p == '@'; f->p++) /* the @ may follow the width: %5@d */
		c->flags |= CONV_AGG;
	return parse_name(f, c);
}

struct format *format_parse(struct arena *a, const char *text, const char **err)
{
	struct format *f = arena_new(a, struct format);
	VEC(struct conv) convs = {0};
	struct parse ps = {.arena = a, .err = err};

	f->text = arena_strdup(a, text);
	ps.p = f->text;
	do {
		struct conv c = {.lit = ps.p, .width = -1, .prec = -1};

		c.litlen = (uint32_t)strcspn(ps.p, "%");
		ps.p += c.litlen;
		if (*ps.p && parse_conv(&ps, &c))
			return NULL;
		if (c.def || c.litlen)
			vec_apush(a, &convs, c);
	} while (*ps.p);
	f->conv = convs.v;
	f->nconv = (uint32_t)convs.n;
	return f;
}
