/* label.c - formats keys of aggregations as text. */
#include "consumer/oformat/pictures/label.h"

#include <stdbool.h>

#include "base/strbuf.h"
#include "base/visible.h"
#include "consumer/aggs/aggs.h"
#include "consumer/values/datum.h"
#include "consumer/values/plain.h"
#include "ir/program.h"

void label_keys(struct strbuf *out, const struct agg_info *ai, const uint8_t *key)
{
	struct datum d = {0};
	size_t from = out->len;

	for (uint32_t i = 0; i < ai->nkey; i++) {
		struct strbuf text = {0};

		if (ai->key[i].layout)
			continue;
		agg_key_part(ai, key, i, &d);
		plain_datum(&text, &d);
		strbuf_adds(out, out->len > from ? ", " : "");
		visible_add(out, strbuf_text(&text), text.len);
		strbuf_release(&text);
	}
}

/* Returns true for the first byte of a UTF-8 character. */
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
