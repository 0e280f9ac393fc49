/*
 * dstr.c - makes the text of a recorded string.
 *
 * Programs record addresses as bytes and literals as indices. This file converts both to text, so
 * that equal texts are equal keys, however they were recorded.
 */
#include "consumer/values/dstr.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/address.h"
#include "base/strbuf.h"
#include "ir/program.h"
#include "procinfo/owner.h"

/*
 * Appends a number in the form of lltostr(). It is signed in base 10 only. In bases 8 and 16 it has
 * the prefix that C uses.
 */
static void add_number(int64_t v, uint32_t base, struct strbuf *out)
{
	char text[72], *p = text + sizeof(text);
	uint64_t mag = (uint64_t)v;

	if (base < 2 || base > 36)
		base = 10;
	if (base == 10 && v < 0)
		mag = -mag;
	do
		*--p = "0123456789abcdefghijklmnopqrstuvwxyz"[mag % base];
	while (mag /= base);
	if (base == 16)
		*--p = 'x';
	if (base == 16 || (base == 8 && v))
		*--p = '0';
	if (base == 10 && v < 0)
		*--p = '-';
	strbuf_add(out, p, (size_t)(text + sizeof(text) - p));
}

static uint32_t word(const uint8_t *slot, int i)
{
	uint32_t v;

	memcpy(&v, slot + 4 * i, 4);
	return v;
}

static void add_slot(const struct program *p, const uint8_t *b, uint32_t size, struct strbuf *out);

static void add_join(const struct program *p, const uint8_t *slot, uint32_t size,
		     struct strbuf *out)
{
	uint32_t first = word(slot, 1);

	if (first < 4 || first > size - 12)
		return;
	add_slot(p, slot + 8, first, out);
	add_slot(p, slot + 8 + first, size - 8 - first, out);
}

static void add_named(uint32_t what, uint64_t id, struct strbuf *out)
{
	switch ((enum named_kind)what) {
	case NAMED_USER:
		strbuf_adds(out, owner_user((uint32_t)id));
		return;
	case NAMED_CGROUP:
		strbuf_adds(out, owner_cgroup(id));
		return;
	case NAMED_CONTAINER:
		strbuf_adds(out, owner_container(id));
		return;
	case NAMED_NETNS:
		strbuf_adds(out, owner_netns(id));
		return;
	case NAMED_MAX:
		return;
	}
}

/* For each tag, the minimum number of bytes that must follow the tag. */
static const uint8_t payload[] = {
	[DSTR_TEXT] = 0, [DSTR_INTERN] = 4, [DSTR_IP4] = 4,    [DSTR_IP6] = 16,   [DSTR_NULL] = 0,
	[DSTR_INT] = 12, [DSTR_JOIN] = 12,  [DSTR_NAMED] = 12, [DSTR_NTOP6] = 16,
};

static void add_slot(const struct program *p, const uint8_t *b, uint32_t size, struct strbuf *out)
{
	if (size < 4 || word(b, 0) >= sizeof(payload) || size - 4 < payload[word(b, 0)])
		return;
	switch ((enum dstr_tag)word(b, 0)) {
	case DSTR_TEXT:
		strbuf_add(out, b + 4, strnlen((const char *)b + 4, size - 4));
		return;
	case DSTR_INTERN:
		if (word(b, 1) < p->nstr)
			strbuf_adds(out, p->str[word(b, 1)]);
		return;
	case DSTR_IP4:
		address_ip4(b + 4, out);
		return;
	case DSTR_IP6:
		address_ip6(b + 4, out);
		return;
	case DSTR_NTOP6:
		address_ntop6(b + 4, out);
		return;
	case DSTR_INT:
		add_number((int64_t)((uint64_t)word(b, 2) << 32 | word(b, 1)), word(b, 3), out);
		return;
	case DSTR_JOIN:
		add_join(p, b, size, out);
		return;
	case DSTR_NAMED:
		add_named(word(b, 1), (uint64_t)word(b, 3) << 32 | word(b, 2), out);
		return;
	case DSTR_NULL:
		return;
	}
}

void dstr_text(const struct program *p, const void *slot, uint32_t size, struct strbuf *out)
{
	size_t start = out->len;

	add_slot(p, slot, size, out);
	if (p->strsize && out->len - start >= p->strsize)
		out->s[out->len = start + p->strsize - 1] = '\0';
}
