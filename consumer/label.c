/*
 * label.c - recorded values as names in pictures and on terminals.
 */
#include "consumer/label.h"

#include <stdbool.h>

#include "base/strbuf.h"
#include "base/utf8.h"
#include "consumer/aggs.h"
#include "consumer/datum.h"
#include "consumer/plain.h"
#include "ir/program.h"

/* Characters that no name has: controls, those for the direction of writing, and no characters. */
static bool is_visible(uint32_t cp)
{
	if (cp < ' ' || (cp >= 0x7f && cp < 0xa0))
		return false;
	if ((cp >= 0x200b && cp <= 0x200f) || (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2060 && cp <= 0x206f))
		return false;
	return cp != 0xfeff && (cp & 0xfffe) != 0xfffe && (cp < 0xe000 || cp > 0xf8ff);
}

void label_add(struct strbuf *out, const char *s, size_t n)
{
	uint32_t cp;

	for (size_t i = 0, k; i < n; i += k) {
		k = utf8_char((const unsigned char *)s + i, n - i, &cp);
		if (k && is_visible(cp)) {
			strbuf_add(out, s + i, k);
			continue;
		}
		k += !k;
		for (size_t j = 0; j < k; j++)
			strbuf_addf(out, "\\x%02x", (unsigned char)s[i + j]);
	}
}

void label_keys(struct strbuf *out, const struct agg_info *ai, const uint8_t *key)
{
	struct datum d = {0};

	for (uint32_t i = 0; i < ai->nkey; i++) {
		struct strbuf text = {0};

		agg_key_part(ai, key, i, &d);
		plain_datum(&text, &d);
		strbuf_adds(out, i ? ", " : "");
		label_add(out, strbuf_text(&text), text.len);
		strbuf_release(&text);
	}
}

/* Is it the first byte of a character? */
static bool begins(char c)
{
	return (c & 0xc0) != 0x80;
}

size_t label_columns(const char *s, size_t n)
{
	size_t columns = 0;

	for (size_t i = 0; i < n; i++)
		columns += begins(s[i]);
	return columns;
}

size_t label_cut(const char *s, size_t n, size_t columns)
{
	size_t i = 0;

	for (; i < n; i++)
		if (begins(s[i]) && !columns--)
			break;
	return i;
}
