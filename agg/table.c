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
static struct agg_row **probe(const struct aggtab *t, uint32_t hash, const void *key, uint32_t klen)
{
	size_t i = hash & (t->nslot - 1);

	for (; t->slot[i]; i = (i + 1) & (t->nslot - 1)) {
		const struct agg_row *r = t->slot[i];

		if (r->hash == hash && r->klen == klen && (!klen || !memcmp(r->key, key, klen)))
			break;
	}
	return &t->slot[i];
}

/* Adds row @r to the index, which must not have its key yet. */
static void put(struct aggtab *t, struct agg_row *r)
{
	size_t i = r->hash & (t->nslot - 1);

	while (t->slot[i])
		i = (i + 1) & (t->nslot - 1);
	t->slot[i] = r;
}

/* Makes the index large enough for @n rows. */
static void make_room(struct aggtab *t, size_t n)
{
	if (n * 2 <= t->nslot)
		return;
	if (!t->nslot)
		t->nslot = 16;
	while (n * 2 > t->nslot)
		t->nslot *= 2;
	xfree(t->slot);
	t->slot = xcalloc(t->nslot, sizeof(*t->slot));
	for (size_t i = 0; i < t->nindexed; i++)
		put(t, t->row.v[i]);
}

/* Adds the rows that the index does not have yet: row[nindexed] and all later rows. */
static void index_rows(struct aggtab *t)
{
	make_room(t, t->row.n);
	for (; t->nindexed < t->row.n; t->nindexed++) {
		struct agg_row *r = t->row.v[t->nindexed];

		r->hash = (uint32_t)hash_bytes(r->key, r->klen);
		put(t, r);
	}
}

/* Adds a row with room for a value of @value_size bytes, which are not set. */
static struct agg_row *new_row(struct aggtab *t, const void *key, uint32_t klen, size_t value_size)
{
	size_t words = (klen + 7ull) / 8 + (value_size + 7) / 8;
	struct agg_row *r = arena_words(&t->mem, sizeof(*r) / 8 + words);

	*r = (struct agg_row){.klen = klen};
	if (klen)
		memcpy(r->key, key, klen);
	vec_push(&t->row, r);
	return r;
}

/*
 * Returns the row of @key if the index has it, else adds a row. The new row is not put into the
 * index. The other parameters are those of find_or_add().
 */
static struct agg_row *find_indexed(struct aggtab *t, const void *key, uint32_t klen,
				    size_t value_size, bool *is_new)
{
	struct agg_row *r = NULL;

	if (t->nindexed)
		r = *probe(t, (uint32_t)hash_bytes(key, klen), key, klen);
	*is_new = !r;
	return r ? r : new_row(t, key, klen, value_size);
}

/*
 * Returns the row of @key. If the table has no such row, adds one with room for a value of
 * @value_size bytes. Sets @is_new to whether the row was added. If @once, searches and updates the
 * index as aggtab_get_once() does.
 */
static struct agg_row *find_or_add(struct aggtab *t, const void *key, uint32_t klen,
				   size_t value_size, bool once, bool *is_new)
{
	struct agg_row **at;
	uint32_t hash;

	if (once)
		return find_indexed(t, key, klen, value_size, is_new);
	hash = (uint32_t)hash_bytes(key, klen);
	if (t->nindexed < t->row.n)
		index_rows(t);
	make_room(t, t->row.n + 1);
	at = probe(t, hash, key, klen);
	*is_new = !*at;
	if (*at)
		return *at;
	*at = new_row(t, key, klen, value_size);
	(*at)->hash = hash;
	t->nindexed = t->row.n;
	return *at;
}

/*
 * Adds a row whose value is elsewhere. Returns NULL if @key has a row already. If @once, searches
 * the index as aggtab_get_once() does.
 */
static struct agg_row *add_apart(struct aggtab *t, const void *key, uint32_t klen, bool once)
{
	bool is_new;
	struct agg_row *r = find_or_add(t, key, klen, 8, once, &is_new);

	if (!is_new)
		return NULL;
	r->apart = true;
	return r;
}

static void set_address(struct agg_row *r, const void *val)
{
	*agg_row_after_key(r) = (uintptr_t)val;
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
	if (!r->packed)
		return agg_row_val(r);
	unpack((const uint8_t *)agg_row_val(r), room, value_size);
	return room;
}

bool aggtab_add_packed(struct aggtab *t, const void *key, uint32_t klen, const uint64_t *val,
		       size_t value_size)
{
	struct agg_row *r = add_apart(t, key, klen, false);

	if (!r)
		return false;
	r->packed = true;
	set_address(r, pack(&t->mem, val, value_size / 8));
	return true;
}

/* ----------------------------------------------------------------------------- rows */

/* Replaces a borrowed or packed value by a copy that the row owns. */
static void own_value(struct aggtab *t, struct agg_row *r, size_t value_size)
{
	uint64_t *val = arena_alloc(&t->mem, value_size);

	if (r->packed)
		unpack((const uint8_t *)agg_row_val(r), val, value_size);
	else
		memcpy(val, agg_row_val(r), value_size);
	set_address(r, val);
	r->borrowed = r->packed = false;
}

static struct agg_row *get(struct aggtab *t, const void *key, uint32_t klen, size_t value_size,
			   bool once)
{
	bool is_new;
	struct agg_row *r = find_or_add(t, key, klen, value_size, once, &is_new);

	if (is_new)
		memset(agg_row_val(r), 0, value_size);
	else if (r->borrowed || r->packed)
		own_value(t, r, value_size);
	return r;
}

struct agg_row *aggtab_get(struct aggtab *t, const void *key, uint32_t klen, size_t value_size)
{
	return get(t, key, klen, value_size, false);
}

struct agg_row *aggtab_get_once(struct aggtab *t, const void *key, uint32_t klen, size_t value_size)
{
	return get(t, key, klen, value_size, true);
}

bool aggtab_add_borrowed(struct aggtab *t, const void *key, uint32_t klen, const uint64_t *val,
			 bool once)
{
	struct agg_row *r = add_apart(t, key, klen, once);

	if (!r)
		return false;
	r->borrowed = true;
	set_address(r, val);
	return true;
}

void aggtab_set_rows(struct aggtab *t, struct agg_row **row, size_t n)
{
	vec_free(&t->row);
	t->row.v = row;
	t->row.n = t->row.cap = t->nindexed = n;
}

struct agg_row *aggtab_find(const struct aggtab *t, const void *key, uint32_t klen)
{
	if (t->nindexed < t->row.n) /* the index is a cache, so it may grow in a const table */
		index_rows((struct aggtab *)(uintptr_t)t);
	return t->nslot ? *probe(t, (uint32_t)hash_bytes(key, klen), key, klen) : NULL;
}

uint64_t aggtab_probes(const struct aggtab *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->nslot; i++)
		if (t->slot[i])
			sum += 1 + ((i - t->slot[i]->hash) & (t->nslot - 1));
	return sum;
}
