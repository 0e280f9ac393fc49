/* plain.c - writes a recorded value as one text without padding. */
#include "consumer/values/plain.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "consumer/values/datum.h"
#include "consumer/symbols/stack.h"

void plain_bytes(struct strbuf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addf(out, "%02x", (unsigned char)s[i]);
}

static void memory(struct strbuf *out, const struct datum *d)
{
	uint64_t v = 0;
	size_t len;

	if (d->size == 1 || d->size == 2 || d->size == 4 || d->size == 8) {
		memcpy(&v, d->s, d->size);
		strbuf_addf(out, "%" PRIu64, v);
	} else if (datum_is_c_string(d, &len)) {
		strbuf_add(out, d->s, len);
	} else {
		plain_bytes(out, d->s, d->size);
	}
}

/* Appends the name of a frame. A ';' in the name is escaped, because ';' separates frames. */
static void add_frame(struct strbuf *out, bool first, const char *s, size_t n)
{
	if (!first)
		strbuf_addc(out, ';');
	for (size_t i = 0; i < n; i++)
		if (s[i] == ';')
			strbuf_adds(out, "\\x3b");
		else
			strbuf_addc(out, s[i]);
}

static void frames(struct strbuf *out, const struct datum *d)
{
	bool user = d->kind == FIELD_USTACK;
	size_t n = d->len / 8 - (user && d->len);

	for (size_t i = 0; i < n; i++) {
		struct strbuf name = {0};

		if (user)
			ustack_frame(&name, d->s, i);
		else
			stack_frame(&name, d->s, i);
		add_frame(out, !i, strbuf_text(&name), name.len);
		strbuf_release(&name);
	}
}

static void text_frames(struct strbuf *out, const struct datum *d)
{
	const char *line;
	size_t at = 0, len;

	while (datum_next_frame(d, &at, &line, &len))
		add_frame(out, line == d->s, line, len);
}

void plain_datum(struct strbuf *out, const struct datum *d)
{
	switch (d->kind) {
	case FIELD_INT:
	case FIELD_UINT:
		datum_number(out, d, 0);
		return;
	case FIELD_BYTES:
		memory(out, d);
		return;
	case FIELD_STACK:
	case FIELD_USTACK:
		frames(out, d);
		return;
	case FIELD_FRAMES:
	case FIELD_UFRAMES:
		text_frames(out, d);
		return;
	default: /* strings and symbols */
		strbuf_add(out, d->s, d->len);
		return;
	}
}
