/*
 * visible.c - escapes text that other people chose, so that it is safe to show.
 */
#include "base/visible.h"

#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"
#include "base/xalloc.h"

bool visible_char(uint32_t cp)
{
	if (cp < ' ' || (cp >= 0x7f && cp < 0xa0) || cp == 0xad || cp == 0x180e)
		return false;
	if (cp == 0x61c || (cp >= 0x200b && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202e))
		return false;
	if ((cp >= 0x2060 && cp <= 0x206f) || (cp >= 0xfff9 && cp <= 0xfffb) ||
	    (cp >= 0xe0000 && cp <= 0xe0fff))
		return false;
	return cp != 0xfeff && (cp & 0xfffe) != 0xfffe && (cp < 0xe000 || cp > 0xf8ff) &&
	       cp < 0xf0000;
}

static void escape(struct strbuf *out, const char *s, size_t n)
{
	static const char from[] = "\n\r\t", to[] = "nrt";
	const char *at = *s ? strchr(from, *s) : NULL;

	if (at) {
		strbuf_addc(out, '\\');
		strbuf_addc(out, to[at - from]);
		return;
	}
	for (size_t i = 0; i < n; i++)
		strbuf_addf(out, "\\x%02x", (unsigned char)s[i]);
}

/*
 * Returns the length in bytes of the character at @s if it can be shown, or 0 if it needs escapes.
 */
static size_t visible_bytes(const char *s, size_t n)
{
	uint32_t cp;
	size_t k;

	/* Nearly all text is ASCII. */
	if (*s >= ' ' && *s < 0x7f)
		return 1;
	k = utf8_char((const unsigned char *)s, n, &cp);
	return k && visible_char(cp) ? k : 0;
}

/*
 * Returns the length in bytes of the character at @s, which visible_char() refuses. Returns 1 if
 * the bytes at @s are not UTF-8.
 */
static size_t escaped_bytes(const char *s, size_t n)
{
	uint32_t cp;
	size_t k = utf8_char((const unsigned char *)s, n, &cp);

	return k ? k : 1;
}

void visible_add(struct strbuf *out, const char *s, size_t n)
{
	for (size_t from = 0, i = 0, k; i < n; from = i) {
		while (i < n && (k = visible_bytes(s + i, n - i)))
			i += k;
		strbuf_add(out, s + from, i - from);
		if (i == n)
			return;
		k = escaped_bytes(s + i, n - i);
		escape(out, s + i, k);
		i += k;
	}
}

void visible_add_lines(struct strbuf *out, const char *s, size_t n)
{
	size_t from = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] != '\n' && s[i] != '\t')
			continue;
		visible_add(out, s + from, i - from);
		strbuf_addc(out, s[i]);
		from = i + 1;
	}
	visible_add(out, s + from, n - from);
}

char *visible_copy(const char *s)
{
	struct strbuf b = {0};
	char *copy;

	visible_add(&b, s, strlen(s));
	copy = xstrdup(strbuf_text(&b));
	strbuf_release(&b);
	return copy;
}
