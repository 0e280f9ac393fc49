/*
 * json.c - writes JSON to a buffer, value by value.
 */
#include "consumer/oformat/json.h"

#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "consumer/values/datum.h"

static void separate(struct json *j)
{
	if (j->comma)
		strbuf_addc(j->out, ',');
	j->comma = true;
}

void json_open(struct json *j, char c)
{
	separate(j);
	strbuf_addc(j->out, c);
	j->comma = false;
}

void json_close(struct json *j, char c)
{
	strbuf_addc(j->out, c);
	j->comma = true;
}

void json_name(struct json *j, const char *name)
{
	separate(j);
	strbuf_addc(j->out, '"');
	strbuf_adds(j->out, name);
	strbuf_add(j->out, "\":", 2);
	j->comma = false;
}

void json_int(struct json *j, int64_t v)
{
	separate(j);
	datum_int(j->out, v, 0);
}

void json_uint(struct json *j, uint64_t v)
{
	separate(j);
	if (v <= INT64_MAX)
		datum_int(j->out, (int64_t)v, 0);
	else
		strbuf_addf(j->out, "%llu", (unsigned long long)v);
}

void json_null(struct json *j)
{
	separate(j);
	strbuf_adds(j->out, "null");
}

void json_bool(struct json *j, bool v)
{
	separate(j);
	strbuf_adds(j->out, v ? "true" : "false");
}

void json_double(struct json *j, double v)
{
	separate(j);
	strbuf_addf(j->out, isfinite(v) ? "%.17g" : "\"%g\"", v);
}

void json_number(struct json *j, const char *text)
{
	separate(j);
	strbuf_adds(j->out, text);
}

/* Returns a pointer to the first byte that is not valid UTF-8, or NULL if all bytes are valid. */
static const char *invalid_utf8(const char *s, size_t n)
{
	uint32_t cp;
	size_t k;

	for (size_t i = 0; i < n; i += k) {
		k = (signed char)s[i] > 0 ? 1 : utf8_char((const unsigned char *)s + i, n - i, &cp);
		if (!k)
			return s + i;
	}
	return NULL;
}

/*
 * Appends the escape sequence of the character @cp. A character above U+FFFF becomes a surrogate
 * pair (RFC 8259, section 7).
 */
static void escape(struct strbuf *out, uint32_t cp)
{
	static const char from[] = "\b\f\n\r\t\"\\", to[] = "bfnrt\"\\";
	const char *at = cp && cp < 0x7f ? strchr(from, (int)cp) : NULL;

	if (at)
		strbuf_addf(out, "\\%c", to[at - from]);
	else if (cp > 0xffff)
		strbuf_addf(out, "\\u%04x\\u%04x", 0xd800 + ((cp - 0x10000) >> 10),
			    0xdc00 + (cp & 0x3ff));
	else
		strbuf_addf(out, "\\u%04x", cp);
}

/*
 * Decodes the first character of the UTF-8 text @s and sets *@cp to its code point. Returns the
 * length of the character in bytes.
 */
static size_t decode_character(const char *s, size_t n, uint32_t *cp)
{
	if ((signed char)*s < 0)
		return utf8_char((const unsigned char *)s, n, cp);
	*cp = (unsigned char)*s;
	return 1;
}

static bool is_plain(uint32_t cp)
{
	return cp < 0x7f ? cp >= ' ' && cp != '"' && cp != '\\' : visible_char(cp);
}

void json_text(struct json *j, const char *s, size_t n)
{
	size_t from = 0;
	uint32_t cp;

	if (invalid_utf8(s, n)) {
		json_bytes(j, s, n);
		return;
	}
	separate(j);
	strbuf_addc(j->out, '"');
	for (size_t i = 0, k; i < n; i += k) {
		k = decode_character(s + i, n - i, &cp);
		if (is_plain(cp))
			continue;
		strbuf_add(j->out, s + from, i - from);
		escape(j->out, cp);
		from = i + k;
	}
	strbuf_add(j->out, s + from, n - from);
	strbuf_addc(j->out, '"');
}

void json_bytes(struct json *j, const char *s, size_t n)
{
	json_open(j, '[');
	for (size_t i = 0; i < n; i++)
		json_uint(j, (unsigned char)s[i]);
	json_close(j, ']');
}

void json_string(struct json *j, const char *s)
{
	json_text(j, s, strlen(s));
}

void json_put_int(struct json *j, const char *name, int64_t v)
{
	json_name(j, name);
	json_int(j, v);
}

void json_put_uint(struct json *j, const char *name, uint64_t v)
{
	json_name(j, name);
	json_uint(j, v);
}

void json_put_string(struct json *j, const char *name, const char *s)
{
	json_name(j, name);
	json_string(j, s);
}
