/*
 * literal.c - integer constants and the escapes of strings.
 *
 * These functions find where an integer ends, its value and its type, and the character of an
 * escape. lex.c finds where a string ends, and reports bad literals.
 */
#include <ctype.h>

#include "compiler/syntax/lex.h"
#include "ir/types/type.h"

static int digit_value(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	if (isxdigit((unsigned char)c))
		return tolower((unsigned char)c) - 'a' + 10;
	return 99;
}

static const char *literal_digits(const char *s, unsigned base, struct int_literal *out)
{
	/* "09" is a bad octal constant, not 0 and 9. */
	unsigned scan = base == 8 ? 10 : base;
	unsigned v;

	for (; (v = (unsigned)digit_value(*s)) < scan; s++) {
		if (v >= base && !out->bad)
			out->bad = *s;
		if (__builtin_mul_overflow(out->value, (uint64_t)base, &out->value) ||
		    __builtin_add_overflow(out->value, (uint64_t)v, &out->value))
			out->overflow = true;
	}
	return s;
}

static const char *literal_suffix(const char *s, struct int_literal *out)
{
	if (tolower((unsigned char)*s) == 'u') {
		out->is_unsigned = true;
		s++;
	}
	while (out->nlong < 2 && tolower((unsigned char)*s) == 'l') {
		out->nlong++;
		s++;
	}
	if (!out->is_unsigned && tolower((unsigned char)*s) == 'u') {
		out->is_unsigned = true;
		s++;
	}
	return s;
}

uint32_t int_literal(const char *s, struct int_literal *out)
{
	const char *p = s;
	unsigned base = 10;

	*out = (struct int_literal){0};
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && isxdigit((unsigned char)p[2])) {
		base = 16;
		p += 2;
	} else if (p[0] == '0') {
		base = 8;
	}
	out->decimal = base == 10;
	p = literal_digits(p, base, out);
	return (uint32_t)(literal_suffix(p, out) - s);
}

struct type *int_literal_type(const struct int_literal *l)
{
	bool u = l->is_unsigned || !l->decimal; /* the type may be unsigned */
	bool s = !l->is_unsigned;               /* the type may be signed */

	if (l->overflow)
		return NULL;
	if (l->nlong == 0 && s && l->value <= INT32_MAX)
		return &type_int;
	if (l->nlong == 0 && u && l->value <= UINT32_MAX)
		return &type_uint;
	if (s && l->value <= INT64_MAX)
		return l->nlong == 2 ? &type_llong : &type_long;
	if (u)
		return l->nlong == 2 ? &type_ullong : &type_ulong;
	return NULL;
}

/*
 * Reads the digits of an octal or hexadecimal escape: up to @max digits of the @n bytes at @s. Sets
 * @out to the character and returns the number of digits.
 */
static uint32_t escape_number(const char *s, uint32_t n, unsigned base, uint32_t max, char *out)
{
	uint32_t i;
	unsigned v = 0;

	for (i = 0; i < n && i < max && (unsigned)digit_value(s[i]) < base; i++)
		v = v * base + (unsigned)digit_value(s[i]);
	*out = (char)v;
	return i;
}

/* Returns the character that a backslash before @c makes, or 0 if D has no such escape. */
static char escape_letter(char c)
{
	switch (c) {
	case '"':
	case '\\':
		return c;
	case 'a':
		return '\a';
	case 'b':
		return '\b';
	case 'f':
		return '\f';
	case 'n':
		return '\n';
	case 'r':
		return '\r';
	case 't':
		return '\t';
	case 'v':
		return '\v';
	}
	return 0;
}

uint32_t unescape(const char *s, uint32_t n, char *out)
{
	uint32_t i = 0, len = 0;

	while (i < n) {
		char c = s[i++];

		if (c != '\\' || i == n) {
			out[len++] = c;
		} else if (s[i] >= '0' && s[i] <= '7') {
			i += escape_number(s + i, n - i, 8, 3, &out[len++]);
		} else if (s[i] == 'x' && i + 1 < n && isxdigit((unsigned char)s[i + 1])) {
			i += 1 + escape_number(s + i + 1, n - i - 1, 16, 2, &out[len++]);
		} else {
			char letter = escape_letter(s[i++]);

			if (!letter) /* an unknown escape stays unchanged; so do \' and \? */
				out[len++] = '\\';
			out[len++] = letter ? letter : s[i - 1];
		}
	}
	return len;
}
