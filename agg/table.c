/*
 * table.c - a hash table with open addressing.
 */
#include "agg/table.h"

#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"

void aggtab_release(struct aggtab *t)
{
	arena_release(&t->mem);
	vec_free(&t->row);
	xfree(t->slot);
	*t = (struct aggtab){0};
}

/* Returns the slot that contains @key, or the empty slot where it belongs. */
static struct agg_row **probe(const struct aggtab *t, uint64_t hash, const void *key, uint32_t klen)
{
	size_t i = hash & (t->nslot - 1);

	for (; t->slot[i]; i = (i + 1) & (t->nslot - 1)) {
		const struct agg_row *r = t->slot[i];

		if (r->hash == hash && r->klen == klen && (!klen || !memcmp(r->key, key, klen)))
			break;
	}
	return &t->slot[i];
}

static void grow(struct aggtab *t)
{
	t->nslot = t->nslot ? t->nslot * 2 : 16;
	xfree(t->slot);
	t->slot = xcalloc(t->nslot, sizeof(*t->slot));
	for (size_t i = 0; i < t->row.n; i++) {
		struct agg_row *r = t->row.v[i];

		*probe(t, r->hash, r->key, r->klen) = r;
	}
}

/*
 * Returns the row of @key. If the table has no such row, adds one without a value and sets @is_new.
 */
static struct agg_row *find_or_add(struct aggtab *t, const void *key, uint32_t klen, bool *is_new)
{
	uint64_t hash = hash_bytes(key, klen);
	struct agg_row **at, *r;

	if (t->row.n * 2 >= t->nslot)
		grow(t);
	at = probe(t, hash, key, klen);
	*is_new = !*at;
	if (*at)
		return *at;
	r = arena_new(&t->mem, struct agg_row);
	r->hash = hash;
	r->key = arena_memdup(&t->mem, key, klen);
	r->klen = klen;
	vec_push(&t->row, r);
	*at = r;
	return r;
}

/* -------------------------------------------------------------------- packed values */

/*
 * Writes a number as LEB128: seven bits per byte, low bits first. Bit 7 is set in every byte except
 * the last. Returns the position after the number.
 */
static uint8_t *put_number(uint8_t *to, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*to++ = (uint8_t)(v | 0x80);
	*to++ = (uint8_t)v;
	return to;
}

static uint64_t get_number(const uint8_t **from)
{
	uint64_t v = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint8_t c = *(*from)++;

		v |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return v;
	}
}

/* Maximum size of a number that put_number() writes, in bytes. */
enum { NUMBER_MAX = 10 };

/*
 * Packs a value. For each word that is not 0, writes two numbers: 1 plus the number of zero words
 * before the word, then the word itself. The number 0 marks the end. All numbers are in the format
 * of put_number().
 */
static const uint8_t *pack(struct arena *mem, const uint64_t *val, size_t words)
{
	uint8_t small[64 * NUMBER_MAX], *buf = small, *to;
	const uint8_t *packed;
	size_t used = 0, next = 0;

	for (size_t i = 0; i < words; i++)
		used += val[i] != 0;
	if ((used * 2 + 1) * NUMBER_MAX > sizeof(small))
		buf = xmalloc((used * 2 + 1) * NUMBER_MAX);
	to = buf;
	for (size_t i = 0; used; i++) {
		if (!val[i])
			continue;
		to = put_number(to, i - next + 1);
		to = put_number(to, val[i]);
		next = i + 1;
		used--;
	}
	*to++ = 0;
	packed = arena_memdup(mem, buf, (size_t)(to - buf));
	if (buf != small)
		xfree(buf);
	return packed;
}

static void unpack(const uint8_t *from, uint64_t *val, size_t size)
{
	uint64_t *at = val, skip;

	memset(val, 0, size);
	for (; (skip = get_number(&from)); at++) {
		at += skip - 1;
		*at = get_number(&from);
	}
}

const uint64_t *agg_row_value(const struct agg_row *r, uint64_t *room, size_t value_size)
{
	if (r->val)
		return r->val;
	unpack(r->pack, room, value_size);
	return room;
}

bool aggtab_add_packed(struct aggtab *t, const void *key, uint32_t klen, const uint64_t *val,
		       size_t value_size)
{
	bool is_new;
	struct agg_row *r = find_or_add(t, key, klen, &is_new);

	if (is_new)
		r->pack = pack(&t->mem, val, value_size / 8);
	return is_new;
}

/* ----------------------------------------------------------------------------- rows */

struct agg_row *aggtab_get(struct aggtab *t, const void *key, uint32_t klen, size_t value_size)
{
	bool is_new;
	struct agg_row *r = find_or_add(t, key, klen, &is_new);

	if (is_new)
		r->val = arena_alloc(&t->mem, value_size);
	else if (r->borrowed)
		r->val = arena_memdup(&t->mem, r->val, value_size);
	else if (!r->val)
		unpack(r->pack, r->val = arena_alloc(&t->mem, value_size), value_size);
	r->borrowed = false;
	return r;
}

bool aggtab_add_borrowed(struct aggtab *t, const void *key, uint32_t klen, const uint64_t *val)
{
	bool is_new;
	struct agg_row *r = find_or_add(t, key, klen, &is_new);

	if (!is_new)
		return false;
	r->borrowed = true;
	r->val = (uint64_t *)val;
	return true;
}

void aggtab_append(struct aggtab *t, struct agg_row *r)
{
	vec_push(&t->row, r);
}

struct agg_row *aggtab_find(const struct aggtab *t, const void *key, uint32_t klen)
{
	return t->nslot ? *probe(t, hash_bytes(key, klen), key, klen) : NULL;
}

uint64_t aggtab_probes(const struct aggtab *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->nslot; i++)
		if (t->slot[i])
			sum += 1 + ((i - t->slot[i]->hash) & (t->nslot - 1));
	return sum;
}
